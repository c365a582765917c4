// Makes the one page of the viewer: style, program and the licences of what it contains, with a
// place for the run's data. Usage: node build.mjs NODE_MODULES OUTPUT
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(modules, 'x.js'))('esbuild');

const { outputFiles } = buildSync({
  entryPoints: [join(here, 'source', 'main.js')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  write: false,
  nodePaths: [modules],
  legalComments: 'none', // the whole licences are on the page
});

const licence = (name) => readFileSync(join(modules, name, 'LICENSE'), 'utf8').trim();
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const parts = {
  STYLE:
    readFileSync(join(modules, 'uplot', 'dist', 'uPlot.min.css'), 'utf8') +
    readFileSync(join(here, 'source', 'style.css'), 'utf8'),
  // No end of a script element may stand in a script.
  PROGRAM: outputFiles[0].text.replaceAll('</script', '<\\/script'),
  LICENCES: escaped(`three.js\n\n${licence('three')}\n\nuPlot\n\n${licence('uplot')}`),
};
const whole = readFileSync(join(here, 'source', 'page.html'), 'utf8').replaceAll(
  /<!-- (STYLE|PROGRAM|LICENCES) -->/g,
  (_, name) => parts[name],
);
// Nothing is loaded and nothing runs but this style and this program, whatever a robot's names say.
const sum = (start, end) => {
  const from = whole.indexOf(start) + start.length;
  return `'sha256-${createHash('sha256').update(whole.slice(from, whole.indexOf(end, from))).digest('base64')}'`;
};
const page = whole.replace(
  '<!-- POLICY -->',
  `default-src 'none'; script-src ${sum('<script>', '</script>')}; style-src ${sum('<style>', '</style>')}; ` +
    "img-src data:; base-uri 'none'; form-action 'none'",
);
if (page.split('<!-- RUN -->').length !== 2) throw new Error('the page needs one place for the run');
writeFileSync(`${output}.new`, page);
renameSync(`${output}.new`, output);
