// The stage: light, ground and camera around the robot, z upwards.
import {
  Box3, BufferGeometry, Color, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments, PerspectiveCamera,
  Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { cloudOf, frame } from './frame.js';
import { Robot } from './robot.js';
import { find } from './run.js';
import { plane } from './touch.js';

const CELLS = 40;    // of the ground, from edge to edge
const VIEWS = { free: [1, -1.45, 0.62], snake: [0.35, -1, 0.75], front: [1, 0, 0.04], side: [0, -1, 0.04], top: [0, -1e-3, 1] };

// A side of the ground's squares: 1, 2 or 5 times a power of ten, about `size`.
function square(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * [1, 2, 5, 10].find((step) => step * power >= size);
}

// Squares in the plane z = 0. Each side is a line of its own: some renderers leave out a line that goes on behind the
// camera.
function ground(cell, colour) {
  const points = [], half = CELLS / 2;
  for (let i = -half; i <= half; i++) {
    for (let k = -half; k < half; k++) {
      points.push(new Vector3(i, k, 0), new Vector3(i, k + 1, 0), new Vector3(k, i, 0), new Vector3(k + 1, i, 0));
    }
  }
  const lines = new LineSegments(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: colour }));
  lines.scale.set(cell, cell, 1);
  return lines;
}

export class Stage {
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(26, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());

    this.robot = new Robot(run);
    this.scene.add(this.robot.group, this.robot.obstacles);
    this.cloud = cloudOf(this.robot, run.time);
    this.box = new Box3().setFromPoints(this.cloud).expandByScalar(1e-3);
    this.scene.add(new HemisphereLight('#ffffff', '#8a8f96', 2.2));
    const sun = new DirectionalLight('#ffffff', 2);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    this.view = 'free'; // until somebody turns the camera by hand
    this.controls.addEventListener('start', () => { this.view = ''; });
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  // Ground and background in the colours of the page.
  theme() {
    const style = getComputedStyle(document.documentElement);
    this.scene.background = new Color(style.getPropertyValue('--sky').trim());
    if (this.grid) this.scene.remove(this.grid);
    const cell = square(this.box.getSize(new Vector3()).length() / 13);
    const unit = cell < 1 ? [1000, 'mm'] : [1, 'm'];
    document.getElementById('squares').textContent = `squares of ${Number((cell * unit[0]).toPrecision(3))} ${unit[1]}`;
    this.grid = ground(cell, style.getPropertyValue('--ground').trim());
    // A snake lies on the ground; whatever reaches below it hangs, and the ground is under it.
    const middle = this.box.getCenter(new Vector3()).divideScalar(cell).round().multiplyScalar(cell);
    this.grid.position.set(middle.x, middle.y, Math.min(0, this.box.min.z));
    const touched = plane(this.run);
    if (touched) { // then it is the ground of contacts
      const up = this.robot.group.quaternion;
      const normal = touched.normal.applyQuaternion(up), point = touched.point.applyQuaternion(up);
      this.grid.quaternion.copy(up).multiply(touched.turn);
      this.grid.position.addScaledVector(normal, point.sub(this.grid.position).dot(normal));
    }
    this.scene.add(this.grid);
    this.draw();
  }

  // From there, as near as the whole motion can be seen.
  look(view) {
    this.view = view;
    const snake = view === 'free' && this.run.links[0].plane;
    const direction = new Vector3(...VIEWS[snake ? 'snake' : view]).normalize();
    const eye = frame(this.cloud, direction, Math.tan((this.camera.fov * Math.PI) / 360), this.camera.aspect);
    const distance = eye.clone().sub(this.box.getCenter(new Vector3())).dot(direction);
    this.camera.position.copy(eye);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(eye).addScaledVector(direction, -distance);
    this.controls.update();
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.view) this.look(this.view); else this.draw();
  }

  show(t) {
    this.robot.move(find(this.run.time, t));
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}
