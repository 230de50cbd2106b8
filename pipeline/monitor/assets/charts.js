// Which charts there are. least is the smallest top of the vertical axis.

import * as format from './format.js';

const dashed = [6, 4];
const whole = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7];

export const kinds = [
  { id: 'rates', title: 'Rates', format: format.rate, least: 1, lines: [
    { name: 'in', of: f => f.in, colour: '--series-1' },
    { name: 'out', of: f => f.out, colour: '--series-2' },
  ] },
  { id: 'conflation', title: 'Conflation', format: format.percent, least: 1, lines: [
    { name: 'merged', of: f => f.conflation, colour: '--series-1' },
  ] },
  { id: 'service', title: 'Service time', format: format.duration, least: 1e-6, lines: [
    { name: 'p50', of: f => f.latency.service?.p50, colour: '--series-1' },
    { name: 'p99', of: f => f.latency.service?.p99, colour: '--series-2' },
    { name: 'High', of: f => f.governor?.high, colour: '--high', dash: dashed, optional: true },
    { name: 'Low', of: f => f.governor?.low, colour: '--low', dash: [2, 4], optional: true },
  ] },
  { id: 'divisor', title: 'Divisor', when: f => f.pace, format: format.count, least: 2, steps: whole, lines: [
    { name: 'beats a pass', of: f => f.pace?.divisor, colour: '--series-1' },
  ] },
  { id: 'age', title: 'Age when done', format: format.duration, least: 1e-6, lines: [
    { name: 'p50', of: f => f.latency.age?.p50, colour: '--series-1' },
    { name: 'p99', of: f => f.latency.age?.p99, colour: '--series-2' },
    { name: 'oldest waiting', of: f => f.oldestAge, colour: '--series-3', dash: dashed },
  ] },
  { id: 'waiting', title: 'Waiting', format: format.count, least: 1, steps: whole, lines: [
    { name: 'entries', of: f => f.waiting, colour: '--series-1' },
  ] },
  { id: 'flight', title: 'In flight', format: format.count, least: 1, steps: whole, lines: [
    { name: 'entries', of: f => f.inFlight, colour: '--series-1' },
    { name: 'limit', of: f => f.limit, colour: '--high', dash: dashed, optional: true },
  ] },
];
