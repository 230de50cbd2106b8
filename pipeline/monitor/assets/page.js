// The beginning: frames come in, a section for each pipeline shows them.

import { listen } from './link.js';
import { Section } from './section.js';

const sections = new Map();
let paused = false;

function add(frame) {
  let section = sections.get(frame.id);
  if (!section) {
    section = new Section(frame);
    sections.set(frame.id, section);
    document.getElementById('empty')?.remove();
    document.getElementById('pipelines').append(section.root);
    const link = document.createElement('a');
    link.href = `#${section.root.id}`;
    link.textContent = frame.name;
    const item = document.createElement('li');
    item.append(link);
    document.getElementById('contents').append(item);
  }
  section.add(frame);
  return section;
}

function draw() {
  if (!paused) sections.forEach(section => section.draw());
}

function show(state) {
  const link = document.getElementById('link');
  if (link.textContent !== state) link.textContent = state;
  link.classList.toggle('live', state === 'live');
}

const pause = document.getElementById('pause');
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
  draw();
});

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  sections.forEach(section => section.repaint());
});

listen(frames => {
  frames.forEach(add);
  draw();
}, show);
