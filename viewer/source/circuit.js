// The hydraulic circuit: its picture in the colours of the nodes' pressures, and where its energy goes.
import { at, find, shown } from './run.js';

const SPACE = 'http://www.w3.org/2000/svg';
// Colours of pressures from none to the highest of the run: dark blue, blue, green, orange, red.
const SCALE = [[44, 62, 122], [33, 118, 199], [46, 150, 90], [222, 140, 20], [205, 40, 40]];

function colour(share) {
  const place = Math.min(1, Math.max(0, share)) * (SCALE.length - 1);
  const i = Math.min(SCALE.length - 2, Math.floor(place)), part = place - i;
  return `rgb(${SCALE[i].map((c, k) => Math.round(c + part * (SCALE[i + 1][k] - c))).join(' ')})`;
}

function make(name, attributes, parent) {
  const element = document.createElementNS(SPACE, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (parent) parent.append(element);
  return element;
}

function label(parent, x, y, anchor, text) {
  make('text', { x, y, 'text-anchor': anchor, fill: 'currentColor', 'font-size': 12 }, parent).textContent = text;
}

// Sums a column over time, from one line to the next by the mean of both.
function sums(time, power) {
  const sum = new Float64Array(time.length);
  for (let i = 1; i < time.length; i++) sum[i] = sum[i - 1] + (time[i] - time[i - 1]) * (power[i] + power[i - 1]) / 2;
  return sum;
}

export class Circuit {
  constructor(run) {
    this.run = run;
    if (!run.circuit) return;
    document.getElementById('circuit').hidden = false;
    this.draw();
    this.account = Object.fromEntries(['supplied_energy', 'mechanical_work', 'loss_energy', 'stored_energy']
      .map((name) => [name, run.column.get(`circuit.${name}`)]));
    if (Object.values(this.account).every(Boolean)) {
      this.losses = run.circuit.parts.map((part) => ({ name: part.name, sum: this.loss(part) })).filter(({ sum }) => sum);
    } else {
      document.getElementById('sankey').textContent = 'For the energies, run it with --outputs energy.';
    }
  }

  draw() {
    const { run } = this;
    const page = new DOMParser().parseFromString(run.circuit.picture, 'image/svg+xml');
    const picture = document.importNode(page.documentElement, true);
    document.getElementById('circuit-picture').replaceChildren(picture);
    this.nodes = [...picture.querySelectorAll('[data-node]')].map((element) => {
      const column = run.column.get(run.circuit.pressures[Number(element.dataset.node)]);
      return column && { element, column, tip: make('title', {}, element) };
    }).filter(Boolean);
    let highest = 1e5;
    for (const { column } of this.nodes) for (const value of column.values) if (value > highest) highest = value;
    this.highest = highest;
    const legend = document.getElementById('pressures');
    const bar = make('svg', { width: 260, height: 34, role: 'img', 'aria-label': 'Colours of pressures' });
    for (let i = 0; i < 50; i++) make('rect', { x: 4 + 5 * i, y: 2, width: 5.5, height: 10, fill: colour((i + 0.5) / 50) }, bar);
    label(bar, 4, 28, 'start', '0');
    label(bar, 254, 28, 'end', `${shown(Math.round(highest / 1e4) / 10)} bar`);
    legend.replaceChildren(bar);
  }

  // Returns the energy that a part has lost since the start; null where the run lacks a variable.
  loss(part) {
    const { run } = this;
    const power = new Float64Array(run.time.length);
    for (const { flow, pressure, sign } of part.takes) {
      const q = run.column.get(flow), p = run.column.get(pressure);
      if (!q || !p) return null;
      for (let i = 0; i < power.length; i++) power[i] += sign * q.values[i] * p.values[i];
    }
    return sums(run.time, power);
  }

  show(t) {
    if (!this.run.circuit) return;
    const { time } = this.run;
    const place = find(time, t);
    for (const { element, column, tip } of this.nodes) {
      const pressure = at(column.values, place);
      element.style.color = colour(pressure / this.highest);
      tip.textContent = `${column.name} ${shown(pressure / 1e5)} bar`;
    }
    if (this.losses) this.flow(t > time[0] ? t : time[time.length - 1]);
  }

  // Energies from the start to a time: what comes in, and where it goes.
  flows(t) {
    const place = find(this.run.time, t);
    const value = Object.fromEntries(Object.entries(this.account).map(([name, column]) => [name, at(column.values, place)]));
    const sources = [], sinks = [];
    const add = (from, to, energy) => {
      if (energy > 0) sinks.push({ name: to, energy }); else if (energy < 0) sources.push({ name: from, energy: -energy });
    };
    if (value.supplied_energy >= 0) sources.push({ name: 'pumps and supplies', energy: value.supplied_energy });
    else sinks.push({ name: 'back to supplies', energy: -value.supplied_energy });
    add('loads', 'work', value.mechanical_work);
    add('from the oil', 'stored in the oil', value.stored_energy);
    const parts = this.losses.map(({ name, sum }) => ({ name, energy: at(sum, place) })).filter(({ energy }) => energy > 0);
    const known = parts.reduce((sum, { energy }) => sum + energy, 0);
    const fit = known > value.loss_energy ? value.loss_energy / known : 1; // sums over lines are not exact
    const most = 0.02 * Math.max(0, value.loss_energy);
    const large = parts.filter(({ energy }) => energy > most).sort((a, b) => b.energy - a.energy).slice(0, 9);
    large.forEach(({ name, energy }) => sinks.push({ name: `lost in ${name}`, energy: fit * energy, loss: true }));
    const rest = value.loss_energy - fit * large.reduce((sum, { energy }) => sum + energy, 0);
    if (rest > 0) sinks.push({ name: 'lost elsewhere', energy: rest, loss: true });
    return { sources, sinks };
  }

  flow(t) {
    const { sources, sinks } = this.flows(t);
    const holder = document.getElementById('sankey');
    const all = sources.reduce((sum, { energy }) => sum + energy, 0);
    if (!(all > 0)) {
      holder.textContent = 'No energy has flowed yet.';
      return;
    }
    const row = 24, width = 640, scale = 180 / all;
    const room = (list) => list.reduce((sum, { energy }) => sum + Math.max(row, scale * energy + 8), 0);
    const height = 20 + Math.max(room(sources), room(sinks), 200);
    const picture = make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Where the energy of the circuit goes' });
    const centre = { x: 300, y: (height - scale * all) / 2 };
    const side = (list, x, from) => {
      let y = (height - room(list)) / 2, within = centre.y;
      for (const { name, energy, loss } of list) {
        const thick = scale * energy, place = Math.max(row, thick + 8), top = y + (place - thick) / 2;
        const a = from ? [x, top] : [centre.x, within], b = from ? [centre.x, within] : [x, top];
        const mid = (a[0] + b[0]) / 2;
        make('path', {
          d: `M${a[0]} ${a[1]}C${mid} ${a[1]} ${mid} ${b[1]} ${b[0]} ${b[1]}v${thick}C${mid} ${b[1] + thick} ${mid} ${a[1] + thick} ${a[0]} ${a[1] + thick}z`,
          fill: loss ? '#b4451f' : '#2f6f9f', 'fill-opacity': 0.55,
        }, picture);
        const text = `${name} ${shown(energy)} J`;
        if (from) label(picture, x + 4, top + Math.max(thick, 12) / 2 + 4, 'start', text);
        else label(picture, x + 6, top + thick / 2 + 4, 'start', text);
        y += place;
        within += thick;
      }
    };
    side(sources, 10, true);
    side(sinks, 400, false);
    make('rect', { x: centre.x - 2, y: centre.y, width: 4, height: scale * all, fill: 'currentColor' }, picture);
    holder.replaceChildren(picture);
    document.getElementById('sankey-time').textContent = `from ${shown(this.run.time[0])} to ${shown(t)} s`;
  }
}
