// One chart over time: uPlot for the lines, HTML for the words.

const kept = 900; // frames, of one second each
const shown = 120; // seconds, once there are so many
const least = 30;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Chart {
  // kind is one of those in charts.js.
  constructor(kind) {
    this.kind = kind;
    this.data = [[], ...kind.lines.map(() => [])];
    this.reading = null; // index of the point under the cursor
    this.build();
  }

  build() {
    this.canvas = element('div', 'canvas');
    this.figure = element('figure');
    this.figure.dataset.chart = this.kind.id;
    this.figure.tabIndex = 0;
    this.figure.setAttribute('role', 'group');
    this.figure.setAttribute('aria-label', `${this.kind.title}. Arrow keys read earlier values.`);
    this.values = this.kind.lines.map(() => element('b'));
    this.when = element('time');
    const legend = element('ul');
    this.kind.lines.forEach((line, i) => legend.append(entry(line, this.values[i])));
    const caption = element('figcaption');
    const title = element('h3');
    title.textContent = this.kind.title;
    this.said = element('span', 'none');
    this.said.setAttribute('aria-live', 'polite');
    caption.append(title, this.said, legend);
    this.figure.append(caption, this.canvas);
    this.figure.addEventListener('keydown', e => this.key(e));
    this.figure.addEventListener('blur', () => this.read(null));
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  // add keeps a frame. It draws nothing.
  add(frame) {
    this.data[0].push(frame.time);
    this.kind.lines.forEach((line, i) => this.data[i + 1].push(line.of(frame) ?? null));
    if (this.data[0].length > kept) {
      this.data.forEach(column => column.shift());
      if (this.reading > 0) this.reading--;
    }
  }

  draw() {
    if (!this.plot) return;
    this.plot.setData(this.data, false);
    const [first, end] = [this.data[0][0] ?? 0, this.data[0].at(-1) ?? 0];
    this.plot.setScale('x', { min: Math.max(end - shown, Math.min(first, end - least)), max: end });
    this.figure.dataset.points = this.data[0].length;
    this.tell();
  }

  // tell writes the values of the point under the cursor, or the latest.
  tell() {
    const i = this.reading ?? this.data[0].length - 1;
    this.values.forEach((value, n) => {
      const v = this.data[n + 1][i];
      value.textContent = this.kind.format(v);
      // A line that does not apply, such as High without a governor.
      value.parentElement.hidden = this.kind.lines[n].optional === true && v == null;
    });
  }

  read(index) {
    this.reading = index;
    this.tell();
    this.said.textContent = index == null ? '' : this.sentence(index);
  }

  sentence(i) {
    const seconds = Math.round(this.data[0].at(-1) - this.data[0][i]);
    const words = this.kind.lines.map((line, n) => `${line.name} ${this.kind.format(this.data[n + 1][i])}`);
    return this.keyed ? `${seconds} s ago: ${words.join(', ')}` : `${seconds} s ago`;
  }

  key(e) {
    const last = this.data[0].length - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (step === undefined || last < 0) return;
    e.preventDefault();
    const i = Math.max(0, last - shown, Math.min(last, (this.reading ?? last) + step));
    this.keyed = true;
    this.plot?.setCursor({ left: this.plot.valToPos(this.data[0][i], 'x'), top: 0 }, false);
    this.read(i);
    this.keyed = false;
  }

  resize() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height: this.canvas.clientHeight });
    else this.plotAt(width);
  }

  // repaint takes up new colours.
  repaint() {
    this.plot?.destroy();
    this.plot = null;
    this.resize();
    this.draw();
  }

  plotAt(width) {
    const axis = { stroke: colour('--faint'), grid: { stroke: colour('--grid'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    this.plot = new uPlot({
      width, height: this.canvas.clientHeight,
      padding: [8, 30, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false } },
      scales: { x: { time: true }, y: { range: (u, min, max) => this.range(max) } },
      axes: [
        { ...axis, size: 26, gap: 4, space: 70, values: (u, at) => at.map(hhmmss) },
        { ...axis, size: 62, space: 34, incrs: this.kind.steps, values: (u, at) => at.map(v => this.kind.format(v)) },
      ],
      series: [{}, ...this.kind.lines.map(line => ({
        stroke: colour(line.colour), width: 2, dash: line.dash, points: { show: false },
      }))],
      hooks: { setCursor: [u => { if (!this.keyed) this.hover(u); }] },
    }, this.data, this.canvas);
  }

  hover(u) {
    const index = u.cursor.left < 0 ? null : u.cursor.idx;
    if (index !== this.reading) this.read(index ?? null);
  }

  range(max) {
    return [0, Math.max(this.kind.least, (max ?? 0) * 1.1)];
  }
}

const hhmmss = seconds => new Date(seconds * 1000).toLocaleTimeString([], { hourCycle: 'h23' });

function entry(line, value) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 26 12');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M0 6h26');
  path.setAttribute('stroke', `var(${line.colour})`);
  path.setAttribute('stroke-width', '4');
  if (line.dash) path.setAttribute('stroke-dasharray', line.dash.join(' '));
  svg.append(path);
  const item = element('li');
  item.append(svg, `${line.name} `, value);
  return item;
}

export function element(name, className = '') {
  const e = document.createElement(name);
  if (className) e.className = className;
  return e;
}
