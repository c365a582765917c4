// Sliders for the joints of a robot that nothing simulates, and the warnings of its file.
import { Euler, Quaternion } from 'three';

import { Loops } from './loops.js';
import { matrix } from './robot.js';

const TURN = Math.PI;

// Units of people: degrees and millimetres.
const ANGLE = { factor: 180 / Math.PI, unit: '°', digits: 1 };
const LENGTH = { factor: 1000, unit: ' mm', digits: 0 };

function text(value, { factor, unit, digits }) {
  const shown = (value * factor).toFixed(digits);
  return `${Number(shown) === 0 ? (0).toFixed(digits) : shown.replace('-', '−')}${unit}`;
}

function plain(name) {
  return name.replace(/[_ ]joint$/, '').replaceAll('_', ' ');
}

// A slider: what it is called, its range, and what it reads and writes.
function ofJoint(link, size) {
  const lengths = link.joint === 'prismatic';
  const range = lengths ? size / 2 : TURN;
  const column = link.position;
  return [{
    name: plain(link.joint_name), full: link.joint_name, kind: lengths ? LENGTH : ANGLE,
    low: link.lower ?? -range, high: link.upper ?? range,
    get: () => link.ratio * column[0] + link.offset,
    set: (value) => { column[0] = (value - link.offset) / link.ratio; },
  }];
}

// Joints of several freedoms: places along their axes, and angles about them.
function ofSeveral(link, size) {
  const columns = link.positions, places = columns.length === 3 ? 2 : columns.length - 4;
  const sliders = [...'xyz'].slice(0, places).map((axis, i) => ({
    name: `${plain(link.joint_name)} ${axis}`, full: link.joint_name, kind: LENGTH, low: columns[i][0] - size / 6, high: columns[i][0] + size / 6,
    get: () => columns[i][0],
    set: (value) => { columns[i][0] = value; },
  }));
  if (columns.length === 3) {
    sliders.push({ name: `${plain(link.joint_name)} angle`, full: link.joint_name, kind: ANGLE, low: -TURN, high: TURN,
      get: () => columns[2][0], set: (value) => { columns[2][0] = value; } });
    return sliders;
  }
  const q = columns.slice(-4), euler = () => new Euler().setFromQuaternion(new Quaternion(q[1][0], q[2][0], q[3][0], q[0][0]).normalize(), 'ZYX');
  ['x', 'y', 'z'].forEach((axis, i) => sliders.push({
    name: `${plain(link.joint_name)} about ${axis}`, full: link.joint_name, kind: ANGLE, low: i === 1 ? -TURN / 2 : -TURN, high: i === 1 ? TURN / 2 : TURN,
    get: () => euler()[axis],
    set: (value) => {
      const turned = euler();
      turned[axis] = value;
      const to = new Quaternion().setFromEuler(turned);
      [to.w, to.x, to.y, to.z].forEach((part, k) => { q[k][0] = part; });
    },
  }));
  return sliders;
}

// A snake's joints: those in front of a joint turn with it.
function ofSnake(links) {
  const place = () => {
    for (let i = 1; i < links.length; i++) {
      const [x, y, angle] = links[i].plane, [x0, y0, angle0] = links[i - 1].plane;
      const ahead = links[i - 1].segment[0] - links[i - 1].segment[1], wheel = links[i].segment[1];
      x[0] = x0[0] + ahead * Math.cos(angle0[0]) + wheel * Math.cos(angle[0]);
      y[0] = y0[0] + ahead * Math.sin(angle0[0]) + wheel * Math.sin(angle[0]);
    }
  };
  return links.slice(1).map((link, i) => ({
    name: `joint ${i + 1}`, full: `joint${i + 1}`, kind: ANGLE, low: -TURN / 2, high: TURN / 2,
    get: () => link.plane[2][0] - links[i].plane[2][0],
    set: (value) => {
      const by = value - (link.plane[2][0] - links[i].plane[2][0]);
      links.slice(i + 1).forEach((other) => { other.plane[2][0] += by; });
      place();
    },
  }));
}

function listWarnings(warnings) {
  const list = document.getElementById('warnings');
  if (warnings.length === 0) {
    list.replaceWith(Object.assign(document.createElement('p'), { textContent: 'The file gives no cause for warnings.' }));
    return;
  }
  list.replaceChildren(...warnings.map(({ place, text: sentence }) => {
    const item = document.createElement('li');
    if (place) item.append(Object.assign(document.createElement('code'), { textContent: place }), ' ');
    item.append(sentence);
    return item;
  }));
}

export function showPose(run, stage) {
  const { links } = stage.robot, loops = new Loops(stage.robot, run.pose.loops, matrix);
  const free = links.filter((link) => link.joint !== 'fixed' && !link.follows && !link.dependent);
  const sliders = links[0].plane ? ofSnake(links)
    : free.flatMap((link) => (link.positions ? ofSeveral(link, run.size) : ofJoint(link, run.size)));
  const rows = sliders.map((slider) => {
    const label = document.createElement('label'), input = document.createElement('input'), output = document.createElement('output');
    const start = slider.get();
    Object.assign(input, { type: 'range', min: Math.min(slider.low, start), max: Math.max(slider.high, start), step: 'any', value: start, title: slider.full });
    const name = Object.assign(document.createElement('span'), { textContent: slider.name, title: slider.full });
    const show = () => {
      output.textContent = text(slider.get(), slider.kind);
      input.setAttribute('aria-valuetext', output.textContent);
    };
    const move = (value) => {
      const before = slider.get();
      slider.set(value);
      // Loops may not close there: then the slider goes back to where they do.
      if (run.pose.loops.length > 0 && !loops.close()) {
        slider.set(before);
        loops.close();
      }
      input.value = slider.get();
    };
    input.addEventListener('input', () => {
      move(Number(input.value));
      show();
      stage.show(0);
    });
    label.append(name, input, output);
    show();
    return { label, show, reset: () => { move(start); show(); } };
  });
  if (run.pose.loops.length > 0) loops.close();
  document.getElementById('sliders').replaceChildren(...rows.map(({ label }) => label));
  document.getElementById('start').addEventListener('click', () => {
    rows.forEach(({ reset }) => reset());
    stage.show(0);
  });
  listWarnings(run.pose.warnings);
}
