// The robot as a tree of three.js groups, one for each link, moved by the positions of the run.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, Group, Matrix4, Mesh,
  MeshStandardMaterial, Quaternion, SphereGeometry, Vector3, AxesHelper,
} from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import { Cylinder } from './cylinder.js';
import { at } from './run.js';
import { Contact, Line, obstacle } from './touch.js';

// Twelve numbers: a rotation, row by row, child to parent, then the child's origin in the parent.
export function matrix(n) {
  return new Matrix4().set(n[0], n[1], n[2], n[9], n[3], n[4], n[5], n[10], n[6], n[7], n[8], n[11], 0, 0, 0, 1);
}

// Corners are whole numbers of two bytes within a box, then come three of them for each triangle. Edges
// of less than 35 degrees are drawn round.
function triangles(shape) {
  const bytes = Uint8Array.from(atob(shape.triangles), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const n = shape.corners, box = shape.box, corners = new Float32Array(3 * n);
  for (let i = 0; i < 3 * n; i++) corners[i] = box[i % 3] + box[3 + i % 3] * view.getUint16(2 * i, true) / 65535;
  const wide = n > 65536, width = wide ? 4 : 2, index = new Uint32Array((bytes.length - 6 * n) / width);
  for (let i = 0; i < index.length; i++) {
    const at = 6 * n + width * i;
    index[i] = wide ? view.getUint32(at, true) : view.getUint16(at, true);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return toCreasedNormals(geometry, 35 * Math.PI / 180);
}

// Cylinders of URDF lie along z, those of three.js along y.
function cylinder(radius, length) {
  return new CylinderGeometry(radius, radius, length, 32).rotateX(Math.PI / 2);
}

function geometry(shape) {
  switch (shape.kind) {
    case 'box': return new BoxGeometry(...shape.size);
    case 'cylinder': return cylinder(shape.size[0], shape.size[2]);
    case 'sphere': return new SphereGeometry(shape.size[0], 32, 20);
    default: return triangles(shape);
  }
}

// Links that say no colour take one from this row, so that neighbours differ.
const COLOURS = ['#7d8b99', '#c8743c', '#5b86a8', '#b9a24a', '#6f9a72', '#a8656b', '#8576a8'];

function draw(link, index, group) {
  for (const shape of link.shapes) {
    const colour = shape.colour ? new Color(...shape.colour) : new Color(COLOURS[index % COLOURS.length]);
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.6, metalness: 0.1 });
    const mesh = new Mesh(geometry(shape), material);
    mesh.applyMatrix4(matrix(shape.frame));
    mesh.castShadow = true;
    group.add(mesh);
  }
}

// Moves a joint of several freedoms: x, y, angle in a plane; a quaternion; a position and a
// quaternion.
function several(link, place) {
  const values = link.positions.map((column) => at(column, place));
  const moved = new Vector3();
  const turned = new Quaternion();
  if (link.joint === 'planar') {
    link.across.forEach((axis, i) => moved.addScaledVector(axis, values[i]));
    turned.setFromAxisAngle(link.direction, values[2]);
  } else {
    const [w, x, y, z] = values.slice(-4);
    if (values.length === 7) moved.set(...values.slice(0, 3));
    turned.set(x, y, z, w).normalize();
  }
  return new Matrix4().compose(moved, turned, new Vector3(1, 1, 1));
}

export class Robot {
  constructor(run) {
    this.group = new Group();
    const down = new Vector3(...run.gravity);
    // However the robot's file lies, what falls goes down the screen.
    if (down.length() > 0) this.group.quaternion.setFromUnitVectors(down.normalize().negate(), new Vector3(0, 0, 1));
    this.axes = [];
    this.links = run.links.map((link, index) => {
      const group = new Group();
      group.matrixAutoUpdate = false;
      draw(link, index, group);
      const axes = new AxesHelper(run.size / 6);
      axes.visible = false;
      group.add(axes);
      this.axes.push(axes);
      this.group.add(group);
      return {
        ...link,
        group,
        origin: link.origin && matrix(link.origin),
        frame: link.frame && matrix(link.frame),
        direction: link.axis && new Vector3(...link.axis),
        position: link.position && run.column.get(link.position).values,
        positions: link.positions && link.positions.map((name) => run.column.get(name).values),
        across: link.across && link.across.map((axis) => new Vector3(...axis)),
        plane: link.plane && link.plane.map((name) => run.column.get(name).values),
      };
    });
    this.cylinders = run.cylinders.map((cylinder) => new Cylinder(cylinder, this.links, run.size));
    this.contacts = run.contacts.map((contact) => new Contact(contact, this.links, run));
    this.lines = run.lines.map((line) => new Line(line, this.links, run.size));
    [...this.cylinders, ...this.lines].forEach(({ group }) => this.group.add(group));
    // Apart from the robot, since they may be much larger.
    this.obstacles = new Group();
    this.obstacles.quaternion.copy(this.group.quaternion);
    run.obstacles.forEach((said) => this.obstacles.add(obstacle(said, matrix(said.frame))));
  }

  // Every link to where it is at a place in the run.
  move(place) {
    const turn = new Matrix4();
    for (const link of this.links) {
      const pose = link.group.matrix;
      if (link.plane) {
        const [x, y, angle] = link.plane.map((values) => at(values, place));
        pose.makeRotationZ(angle).setPosition(x, y, 0);
        continue;
      }
      pose.copy(link.origin);
      if (link.parent >= 0) pose.premultiply(this.links[link.parent].group.matrix);
      const q = link.position ? link.ratio * at(link.position, place) + link.offset : 0;
      if (link.positions) pose.multiply(several(link, place));
      if (link.joint === 'screw') {
        pose.multiply(turn.makeTranslation(...link.direction.clone().multiplyScalar(link.advance * q).toArray()));
      }
      if (link.joint === 'revolute' || link.joint === 'screw') pose.multiply(turn.makeRotationAxis(link.direction, q));
      if (link.joint === 'prismatic') {
        pose.multiply(turn.makeTranslation(...link.direction.clone().multiplyScalar(q).toArray()));
      }
      pose.multiply(link.frame);
    }
    [...this.cylinders, ...this.lines].forEach((between) => between.move());
    this.contacts.forEach((contact) => contact.move(place));
    this.group.updateMatrixWorld(true);
  }

  showAxes(visible) {
    this.axes.forEach((axes) => { axes.visible = visible; });
  }
}
