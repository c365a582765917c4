// Tables of the run: energies, settings, and every variable's range.
import { shown } from './run.js';

function row(kind, cells) {
  const line = document.createElement('tr');
  cells.forEach((text, i) => {
    const cell = document.createElement(kind || (i === 0 ? 'th' : 'td'));
    if (cell.tagName === 'TH') cell.scope = kind ? 'col' : 'row';
    cell.textContent = text;
    line.append(cell);
  });
  return line;
}

function range(values) {
  let least = Infinity, greatest = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

export function fillTables(run, plots) {
  document.getElementById('title').textContent = run.robot;
  document.title = `${run.robot} – Forearm`;
  document.getElementById('subtitle').textContent = run.subtitle;
  document.getElementById('run').replaceChildren(...run.facts.map((fact) => row('', fact)));

  const lines = run.columns.map(({ name, unit, values }) => {
    const [least, greatest] = range(values);
    return row('', [unit ? `${name} [${unit}]` : name, shown(values[0]), shown(values[values.length - 1]),
      shown(least), shown(greatest)]);
  });
  document.getElementById('variables').replaceChildren(
    row('th', ['variable', 'first', 'last', 'least', 'greatest']), ...lines);

  const energies = run.columns.filter((column) => column.of === 'energy');
  const holder = document.getElementById('energy');
  if (energies.length === 0) {
    holder.textContent = 'This run has no variables of energy.';
    return;
  }
  const kinetic = run.column.get('energy.kinetic'), potential = run.column.get('energy.potential');
  const table = document.createElement('table');
  table.append(row('th', ['[J]', 'first', 'last', 'least', 'greatest']));
  for (const { quantity, values } of energies) {
    const [least, greatest] = range(values);
    table.append(row('', [quantity.replaceAll('_', ' '), shown(values[0]), shown(values[values.length - 1]),
      shown(least), shown(greatest)]));
  }
  if (kinetic && potential) {
    const sum = kinetic.values.map((value, i) => value + potential.values[i]);
    const [least, greatest] = range(sum);
    table.append(row('', ['kinetic + potential', shown(sum[0]), shown(sum[sum.length - 1]), shown(least),
      shown(greatest)]));
  }
  holder.append(table);
  plots.add(energies.map(({ name }) => name));
}
