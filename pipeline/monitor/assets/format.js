// Numbers and durations in words.

const none = '–';

function digits(v) {
  return v >= 99.95 ? v.toFixed(0) : v >= 9.995 ? v.toFixed(1) : v.toFixed(2);
}

function scaled(v, units) {
  let [size, unit] = units[0];
  for (const [s, u] of units) {
    if (Math.abs(v) >= s) [size, unit] = [s, u];
  }
  return `${Number(digits(v / size))}${unit}`;
}

export function count(v) {
  if (v == null) return none;
  return Number.isInteger(v) && v < 10000 ? String(v) : scaled(v, [[1, ''], [1e3, ' k'], [1e6, ' M'], [1e9, ' G']]);
}

export function rate(v) {
  return v == null ? none : `${count(v)}/s`;
}

export function bytes(v) {
  return v == null ? none : scaled(v, [[1, ' B'], [1e3, ' kB'], [1e6, ' MB'], [1e9, ' GB']]);
}

export function percent(v) {
  return v == null ? none : `${Number(digits(v * 100))} %`;
}

export function duration(v) {
  if (v == null) return none;
  if (v === 0) return '0 s';
  return scaled(v, [[1e-9, ' ns'], [1e-6, ' µs'], [1e-3, ' ms'], [1, ' s'], [60, ' min'], [3600, ' h']]);
}

export function text(v) {
  return v == null ? none : String(v);
}

export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString([], { hourCycle: 'h23' });
}
