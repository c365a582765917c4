// The stage: light, ground and camera around the robot, z upwards.
import {
  Box3, BufferGeometry, Color, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments, PerspectiveCamera,
  Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { Robot } from './robot.js';
import { find } from './run.js';
import { plane } from './touch.js';

const CELLS = 40;    // of the ground, from edge to edge
const MARGIN = 1.15; // around the robot
const VIEWS = { free: [1, -1.5, 0.8], front: [1, 0, 0], side: [0, -1, 0], top: [0, -1e-3, 1] };

// Returns the extent of the robot over the whole run, from some samples, and of obstacles that are not much larger.
function reach(robot, time) {
  const box = new Box3();
  const moments = Math.min(time.length, 60);
  for (let i = 0; i < moments; i++) {
    robot.move([Math.round((i * (time.length - 1)) / Math.max(1, moments - 1)), 0]);
    box.expandByObject(robot.group);
  }
  const large = 3 * box.getSize(new Vector3()).length();
  robot.obstacles.updateMatrixWorld(true);
  for (const obstacle of robot.obstacles.children) {
    const own = new Box3().setFromObject(obstacle);
    if (own.getSize(new Vector3()).length() < large) box.union(own);
  }
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box.expandByScalar(1e-3);
}

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
    this.camera = new PerspectiveCamera(35, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());

    this.robot = new Robot(run);
    this.scene.add(this.robot.group, this.robot.obstacles);
    this.box = reach(this.robot, run.time);
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
    const cell = square(this.box.getSize(new Vector3()).length() / 8);
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
    const direction = new Vector3(...VIEWS[view]).normalize();
    const right = new Vector3(0, 0, 1).cross(direction).normalize(), up = direction.clone().cross(right);
    const center = this.box.getCenter(new Vector3());
    const high = Math.tan((this.camera.fov * Math.PI) / 360), wide = high * this.camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(...['x', 'y', 'z'].map((axis, k) => this.box[i & (1 << k) ? 'max' : 'min'][axis])).sub(center);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, MARGIN * across + corner.dot(direction));
    }
    this.camera.position.copy(direction.multiplyScalar(distance).add(center));
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
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
