// The stage: light, ground and camera around the robot, z upwards.
import {
  Box3, Color, DirectionalLight, GridHelper, HemisphereLight, PerspectiveCamera, Scene, Sphere, Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { Robot } from './robot.js';
import { find } from './run.js';

const VIEWS = { free: [1, -1.5, 0.8], front: [1, 0, 0], side: [0, -1, 0], top: [0, -1e-3, 1] };

// What the robot fills over the whole run, from some of its moments.
function reach(robot, time) {
  const box = new Box3();
  const moments = Math.min(time.length, 60);
  for (let i = 0; i < moments; i++) {
    robot.move([Math.round((i * (time.length - 1)) / Math.max(1, moments - 1)), 0]);
    box.expandByObject(robot.group);
  }
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
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
    this.scene.add(this.robot.group);
    this.box = reach(this.robot, run.time);
    this.sphere = this.box.getBoundingSphere(new Sphere());
    this.sphere.radius = Math.max(this.sphere.radius, 1e-3);
    this.scene.add(new HemisphereLight('#ffffff', '#8a8f96', 2.2));
    const sun = new DirectionalLight('#ffffff', 2);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    this.look('free');
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  // Ground and background in the colours of the page.
  theme() {
    const style = getComputedStyle(document.documentElement);
    this.scene.background = new Color(style.getPropertyValue('--sky').trim());
    if (this.grid) this.scene.remove(this.grid);
    const size = 10 ** Math.ceil(Math.log10(2 * this.sphere.radius));
    const colour = style.getPropertyValue('--ground').trim();
    this.grid = new GridHelper(2 * size, 20, colour, colour);
    this.grid.rotation.x = Math.PI / 2;
    // A snake lies on the ground; whatever reaches below it hangs, and the ground is under it.
    this.grid.position.z = Math.min(0, this.box.min.z);
    this.scene.add(this.grid);
    this.draw();
  }

  look(view) {
    const { center, radius } = this.sphere;
    const distance = (0.95 * radius) / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.position.copy(new Vector3(...VIEWS[view]).normalize().multiplyScalar(distance).add(center));
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
    this.draw();
  }

  show(t) {
    this.robot.move(find(this.run.time, t));
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}
