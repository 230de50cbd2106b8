// The section of one pipeline.

import * as format from './format.js';
import * as lists from './lists.js';
import { Chart } from './chart.js';
import { kinds } from './charts.js';

export class Section {
  constructor(frame) {
    this.root = document.getElementById('pipeline').content.firstElementChild.cloneNode(true);
    this.root.id = `pipeline-${frame.id}`;
    const title = this.root.querySelector('h2');
    title.id = `${this.root.id}-title`;
    this.root.setAttribute('aria-labelledby', title.id);
    this.figures = [...this.root.querySelectorAll('[data-figure]')];
    this.charts = kinds.filter(k => !k.when || k.when(frame)).map(k => new Chart(k));
    this.list('charts').append(...this.charts.map(c => c.figure));
  }

  list(name) {
    return this.root.querySelector(`[data-list=${name}]`);
  }

  badge(name) {
    return this.root.querySelector(`[data-badge=${name}]`);
  }

  // add keeps a frame for the charts. It draws nothing.
  add(frame) {
    this.frame = frame;
    this.charts.forEach(c => c.add(frame));
  }

  draw() {
    const frame = this.frame;
    const balance = frame.ledger.balanced ? 'balanced' : `does not balance: ${frame.ledger.fault}`;
    for (const e of this.figures) {
      const value = e.dataset.figure === 'balance' ? balance : at(frame, e.dataset.figure);
      const text = format[e.dataset.as ?? 'text'](value);
      if (e.textContent !== text) e.textContent = text;
    }
    for (const e of this.root.querySelectorAll('[data-when]')) {
      const value = at(frame, e.dataset.when);
      e.hidden = value == null || value === 0 || value.length === 0;
    }
    this.badges(frame);
    for (const name of ['producers', 'decisions', 'hottest', 'ledger', 'latency', 'quotas']) {
      lists[name](this.list(name), frame);
    }
    this.charts.forEach(c => c.draw());
  }

  badges(frame) {
    const balance = this.badge('balance');
    balance.textContent = frame.ledger.balanced ? 'ledger balanced' : 'ledger does not balance';
    balance.className = `badge ${frame.ledger.balanced ? 'good' : 'bad'}`;
    this.badge('braked').hidden = !frame.governor?.braked;
    const skipped = this.badge('skipped');
    skipped.hidden = frame.skipped === 0;
    skipped.textContent = `this tab is slow: ${frame.skipped} updates skipped`;
  }

  repaint() {
    this.charts.forEach(c => c.repaint());
  }
}

// at follows a path such as "latency.service.p99".
function at(frame, path) {
  return path.split('.').reduce((value, name) => value?.[name], frame);
}
