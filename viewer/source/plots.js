// Plots of any variables over time: one axis of time for all, zoomed together, with the player's time
// in each.
import uPlot from 'uplot';

const COLOURS = ['#b4451f', '#2f6f9f', '#4b8b3b', '#8a5aa8', '#a8862a', '#3d8f8a', '#c2557f', '#7a7f87'];

// A number beside an axis, short enough for its place.
function tick(value) {
  const size = Math.abs(value);
  if (size < 1e5 && (size >= 1e-3 || size === 0)) return String(Number(value.toPrecision(6)));
  return Number(value.toPrecision(4)).toExponential().replace('e+', 'e');
}

// From the least to the greatest value and a little more; around what does not change, something to see it in.
function range(chart, least, greatest) {
  if (least === null) return [-1, 1];
  const size = Math.max(Math.abs(least), Math.abs(greatest));
  if (greatest - least > 1e-9 * size) return uPlot.rangeNum(least, greatest, 0.1, true);
  return size === 0 ? [-1, 1] : [least - 0.1 * size, greatest + 0.1 * size];
}

function option(text, value) {
  return Object.assign(document.createElement('option'), { textContent: text, value });
}

export class Plots {
  constructor(holder, run, onTime) {
    this.holder = holder;
    this.run = run;
    this.onTime = onTime;
    this.t = run.time[0];
    this.plots = [];
    new ResizeObserver(() => this.plots.forEach((plot) => this.fit(plot))).observe(holder);
  }

  // A plot of the named variables; those that the run has not are left out.
  add(names) {
    const plot = { names: names.filter((name) => this.run.column.has(name)) };
    plot.box = document.createElement('div');
    plot.box.className = 'plot';
    plot.chosen = document.createElement('div');
    plot.chosen.className = 'chosen';
    plot.canvas = document.createElement('div');
    plot.box.append(plot.chosen, plot.canvas);
    this.holder.append(plot.box);
    this.plots.push(plot);
    this.rebuild(plot);
    return plot;
  }

  rebuild(plot) {
    this.choose(plot);
    if (plot.chart) plot.chart.destroy();
    const { run } = this;
    const columns = plot.names.map((name) => run.column.get(name));
    const units = [...new Set(columns.map((column) => column.unit).filter(Boolean))];
    const style = getComputedStyle(document.documentElement);
    const front = style.getPropertyValue('--quiet').trim(), line = style.getPropertyValue('--line').trim();
    const axis = { stroke: front, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const series = columns.map((column, i) => (
      { label: column.name, stroke: COLOURS[i % COLOURS.length], width: 1.5, points: { show: false } }));
    const chart = new uPlot({
      width: Math.max(200, plot.canvas.clientWidth),
      height: 190,
      scales: { x: { time: false }, y: { range } },
      axes: [{ ...axis, label: 'time [s]', labelSize: 18, size: 34 },
        { ...axis, label: units.length ? `[${units.join('], [')}]` : ' ', labelSize: 18, size: 66,
          values: (u, splits) => splits.map((value) => (value === null ? '' : tick(value))) }],
      series: [{}, ...series],
      cursor: { sync: { key: 'run' }, drag: { x: true, y: false } },
      hooks: { draw: [(u) => this.mark(u)], setScale: [(u, key) => this.zoom(u, key)] },
    }, [run.time, ...columns.map((column) => column.values)], plot.canvas);
    chart.over.addEventListener('click', () => {
      if (chart.select.width > 0 || chart.cursor.left < 0) return;
      this.onTime(chart.posToVal(chart.cursor.left, 'x'));
    });
    plot.chart = chart;
  }

  // The buttons that take a variable out, and the list of those that can be put in.
  choose(plot) {
    const chips = plot.names.map((name, i) => {
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.className = 'chip';
      chip.style.setProperty('--colour', COLOURS[i % COLOURS.length]);
      chip.textContent = name;
      chip.setAttribute('aria-label', `Take ${name} out of this plot`);
      chip.addEventListener('click', () => this.change(plot, plot.names.filter((other) => other !== name)));
      return chip;
    });
    const list = document.createElement('select');
    list.setAttribute('aria-label', 'Add a variable to this plot');
    list.append(option('add…', ''));
    for (const column of this.run.columns) {
      if (column.name !== 'time' && !plot.names.includes(column.name)) list.append(option(column.name, column.name));
    }
    list.addEventListener('change', () => this.change(plot, [...plot.names, list.value]));
    plot.chosen.replaceChildren(...chips, list);
  }

  change(plot, names) {
    plot.names = names;
    this.rebuild(plot);
  }

  // One plot's zoom is every plot's.
  zoom(from, key) {
    if (key !== 'x' || this.zooming) return;
    this.zooming = true;
    const { min, max } = from.scales.x;
    for (const { chart, box } of this.plots) {
      if (chart && chart !== from) chart.setScale('x', { min, max });
      box.dataset.from = min;
      box.dataset.to = max;
    }
    this.zooming = false;
  }

  mark(u) {
    const x = u.valToPos(this.t, 'x', true);
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    u.ctx.lineWidth = window.devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  show(t) {
    this.t = t;
    this.plots.forEach(({ chart }) => chart.redraw(false, false));
  }

  fit(plot) {
    const width = Math.max(200, plot.canvas.clientWidth);
    if (plot.chart && plot.chart.width !== width) plot.chart.setSize({ width, height: 190 });
  }

  theme() {
    this.plots.forEach((plot) => this.rebuild(plot));
  }
}
