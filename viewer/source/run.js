// The run that the page shows: what `forearm simulate --html` put into it. Columns are float32,
// little-endian, one after the other, in base64; JSON holds names, units and the robot.

function decode(text, columns, rows) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return columns.map((_, i) => {
    const column = new Float64Array(rows);
    for (let k = 0; k < rows; k++) column[k] = view.getFloat32(4 * (i * rows + k), true);
    return column;
  });
}

export function readRun() {
  const run = JSON.parse(document.getElementById('data').textContent);
  const columns = decode(run.values, run.columns, run.rows);
  run.columns.forEach((column, i) => Object.assign(column, { values: columns[i] }));
  run.column = new Map(run.columns.map((column) => [column.name, column]));
  run.time = run.column.get('time').values;
  return run;
}

// Returns the row before a time, and the fraction of the way to the next one, 0 to 1.
export function find(time, t) {
  let low = 0, high = time.length - 1;
  if (t >= time[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle; else high = middle;
  }
  return [low, Math.max(0, (t - time[low]) / (time[high] - time[low] || 1))];
}

export function at(values, [row, part]) {
  return part > 0 ? values[row] + part * (values[row + 1] - values[row]) : values[row];
}

// A number for people: five digits.
export function shown(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(3);
  return String(Number(value.toPrecision(5)));
}
