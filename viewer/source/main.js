// The page: reads the run, plays it, and keeps robot, plots and player at one time.
import { Circuit } from './circuit.js';
import { Plots } from './plots.js';
import { showPose } from './pose.js';
import { readRun } from './run.js';
import { Stage } from './scene.js';
import { fillTables } from './tables.js';

const began = performance.now();
const run = readRun();
const first = run.time[0], last = run.time[run.time.length - 1];
const element = (id) => document.getElementById(id);
const player = { t: first, playing: false, before: 0 };
let stage = null;

const plots = new Plots(element('plots'), run, (t) => show(t));
run.plots.forEach((names) => plots.add(names));
fillTables(run, plots);
const circuit = new Circuit(run);

try {
  stage = new Stage(element('scene'), run);
} catch (error) {
  element('scene').hidden = true;
  element('no-scene').hidden = false;
}

// A robot in a pose has sliders; a motion has a player and plots.
document.querySelectorAll('[data-of]').forEach((part) => { part.hidden = part.dataset.of !== (run.pose ? 'pose' : 'motion'); });
if (run.pose && stage) showPose(run, stage);

function show(t) {
  player.t = Math.min(last, Math.max(first, t));
  element('time').value = player.t;
  element('clock').textContent = `${player.t.toFixed(3)} s`;
  if (stage) stage.show(player.t);
  plots.show(player.t);
  circuit.show(player.t);
}

function tick(now) {
  if (!player.playing) return;
  const speed = Number(element('speed').value);
  const t = player.t + (speed * (now - player.before)) / 1000;
  player.before = now;
  show(t);
  if (t >= last) play(false); else requestAnimationFrame(tick);
}

function play(playing) {
  if (playing === player.playing) return;
  player.playing = playing;
  element('play').textContent = playing ? 'Pause' : 'Play';
  element('play').setAttribute('aria-pressed', String(playing));
  if (!playing) return;
  if (player.t >= last) show(first);
  player.before = performance.now();
  requestAnimationFrame(tick);
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  if (stage) stage.theme();
  plots.theme();
}

function changeSpeed(by) {
  const list = element('speed');
  list.selectedIndex = Math.min(list.length - 1, Math.max(0, list.selectedIndex + by));
}

const step = (last - first) / Math.max(1, run.time.length - 1);
const keys = {
  ' ': () => play(!player.playing),
  ArrowRight: (event) => show(player.t + step * (event.shiftKey ? 10 : 1)),
  ArrowLeft: (event) => show(player.t - step * (event.shiftKey ? 10 : 1)),
  Home: () => show(first),
  End: () => show(last),
  '+': () => changeSpeed(1),
  '-': () => changeSpeed(-1),
};

// Lists have their own keys, and what can be pressed has the space bar; the rest is the player's wherever the focus is.
function hasOwn(target, key) {
  if (target.closest('select')) return true;
  return key === ' ' && target.closest('button, summary, input[type=checkbox]');
}

document.addEventListener('keydown', (event) => {
  if (run.pose || event.ctrlKey || event.altKey || event.metaKey || hasOwn(event.target, event.key) || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key](event);
});
element('time').min = first;
element('time').max = last;
element('time').addEventListener('input', (event) => show(Number(event.target.value)));
element('play').addEventListener('click', () => play(!player.playing));
element('view').addEventListener('change', (event) => stage && stage.look(event.target.value));
element('frames').addEventListener('change', (event) => {
  if (!stage) return;
  stage.robot.showAxes(event.target.checked);
  stage.draw();
});
element('new-plot').addEventListener('click', () => plots.add([]));
element('theme').addEventListener('click', () => (
  theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')));

theme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
show(first);
// For who opens the page from a link: report.html#t=2.5 starts there, #play plays.
const wish = new URLSearchParams(location.hash.slice(1));
if (wish.has('t')) show(Number(wish.get('t')));
if (wish.has('play')) play(true);
globalThis.forearm = { run, stage, plots, circuit, show }; // for the browser's console
document.documentElement.dataset.firstFrame = (performance.now() - began).toFixed(0); // [ms]
