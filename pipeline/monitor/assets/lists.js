// The parts of a section that have as many lines as there is to say.

import * as format from './format.js';
import { element } from './chart.js';

// fill writes one child for each item, keeping those that are there.
function fill(list, items, make, write, none) {
  list.querySelector(':scope > .none')?.remove();
  while (list.children.length > items.length) list.lastChild.remove();
  while (list.children.length < items.length) list.append(make());
  items.forEach((item, i) => write(list.children[i], item));
  if (items.length === 0 && none) {
    const line = element(list.tagName === 'TBODY' ? 'tr' : list.tagName === 'DIV' ? 'p' : 'li', 'none');
    line.textContent = none;
    list.append(line);
  }
}

function write(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

function of(name, ...children) {
  return () => {
    const e = element(name);
    e.append(...children.map(c => element(...c)));
    return e;
  };
}

export function producers(list, frame) {
  fill(list, frame.producers ?? [], of('li', ['span'], ['b']), (li, p) => {
    write(li.children[0], p.name);
    write(li.children[1], format.rate(p.rate));
    li.classList.toggle('off', p.connected === 0 && frame.state === 'running');
    const faults = [['rejected', p.rejected], ['invalid', p.invalid], ['failures', p.failures]].filter(f => f[1] > 0);
    li.title = faults.map(f => `${f[1]} ${f[0]}`).join(', ');
  }, 'none');
}

export function decisions(list, frame) {
  fill(list, frame.decisions ?? [], of('li', ['time'], ['span']), (li, d) => {
    write(li.children[0], format.clock(d.time));
    write(li.children[1], d.text);
  }, 'Nothing yet.');
}

export function hottest(list, frame) {
  const keys = frame.hottest ?? [];
  fill(list, keys, of('li', ['span'], ['meter'], ['b']), (li, k) => {
    write(li.children[0], k.key);
    li.children[0].title = k.key;
    li.children[1].max = keys[0].share || 1;
    li.children[1].value = k.share;
    li.children[1].setAttribute('aria-hidden', 'true');
    write(li.children[2], format.percent(k.share));
  }, 'None yet: one entry in 16 is counted.');
}

export function ledger(list, frame) {
  const sums = [['puts', frame.ledger.puts, frame.ledger.in], ['inserted', frame.ledger.inserted, frame.ledger.out]];
  fill(list, sums, of('p'), (p, [name, total, posts]) => {
    const terms = [{ name, count: total }, ...posts];
    fill(p, terms, of('span', ['b'], ['span']), (term, t) => {
      term.classList.toggle('zero', t.count === 0);
      write(term.children[0], t.count.toLocaleString('en').replaceAll(',', '\u202f'));
      const first = t === terms[0], last = t === terms.at(-1);
      write(term.children[1], ` ${t.name}${first ? ' = ' : last ? '' : ' + '}`);
    });
  });
}

const latencies = [
  ['admit', 'arrival to cache'], ['wait', 'in the cache'], ['service', 'in the handler'],
  ['age', 'newest value to done'], ['oldest', 'first value to done'],
];

export function latency(list, frame) {
  fill(list, latencies, of('tr', ['th'], ['td'], ['td'], ['td'], ['td'], ['td']), (tr, [name, words]) => {
    const l = frame.latency[name];
    tr.children[0].scope = 'row';
    if (!tr.children[0].firstChild) {
      const explanation = element('small');
      explanation.textContent = ` ${words}`;
      tr.children[0].append(name, explanation);
    }
    [l?.p50, l?.p90, l?.p99, l?.p999, l?.max].forEach((v, i) => write(tr.children[i + 1], format.duration(v)));
  });
}

export function quotas(list, frame) {
  fill(list, frame.quotas ?? [], of('tr', ['th'], ['td', 'words'], ['td', 'words'], ['td'], ['td'], ['td']), (tr, q) => {
    tr.children[0].scope = 'row';
    write(tr.children[0], q.user || 'any');
    write(tr.children[1], q.clientId || 'any');
    write(tr.children[2], q.quota);
    write(tr.children[3], format.percent(q.utilisation));
    write(tr.children[4], format.duration(q.throttled));
    write(tr.children[5], format.count(q.waiting));
  });
}
