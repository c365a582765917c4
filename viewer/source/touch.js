// Draws contacts and obstacles, the ends of loops, the rods of `distance` and springs on a line.
import {
  BoxGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, TorusGeometry, Vector3,
} from 'three';

import { bar, spring, stretch } from './bar.js';
import { at } from './run.js';

const FREE = '#d9a520', TOUCHING = '#d0342c', LOOP = '#2f6fb0', SPRING = '#8a4fa3', STONE = '#8d8a83';

function skin(colour, opacity = 1) {
  // A shape of the link may lie in the same place: this one is in front of it.
  const front = { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4 };
  return new MeshStandardMaterial({
    color: colour, roughness: 0.6, metalness: 0.1, transparent: opacity < 1, opacity, ...front,
  });
}

// A contact moves with its link, and is red while it touches.
export class Contact {
  constructor(said, links, run) {
    const small = run.size / 120, { radius } = said;
    let shape;
    if (said.shape === 'wheel') {
      shape = new TorusGeometry(radius, Math.max(0.06 * radius, 0.3 * small), 12, 48);
    } else {
      shape = new SphereGeometry(said.shape === 'sphere' ? radius : small, 24, 16);
    }
    this.mesh = new Mesh(shape, skin(FREE, said.shape === 'sphere' ? 0.75 : 1));
    this.mesh.position.set(...said.centre);
    if (said.shape === 'wheel') {
      this.mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...said.axis).normalize());
    }
    const column = run.column.get(said.touching);
    this.touching = column && column.values;
    links[said.link].group.add(this.mesh);
  }

  move(place) {
    const touches = this.touching && at(this.touching, [place[0], 0]) > 0;
    this.mesh.material.color.set(touches ? TOUCHING : FREE);
  }
}

export function obstacle(said, frame) {
  const shape = said.kind === 'box' ? new BoxGeometry(...said.size) : new SphereGeometry(said.size[0], 48, 32);
  const mesh = new Mesh(shape, skin(STONE, 0.85));
  mesh.applyMatrix4(frame);
  return mesh;
}

// Two points on two links: those of a loop, the rod of a `distance`, or a spring.
export class Line {
  constructor(said, links, size) {
    this.points = [said.from_point, said.to_point].map((point) => new Vector3(...point));
    this.ends = [links[said.from], links[said.to]];
    this.group = new Group();
    this.between = null;
    if (said.type === 'spring') this.between = spring(0.014 * size, SPRING);
    if (said.type === 'distance') this.between = bar(0.008 * size, LOOP);
    if (this.between) this.group.add(this.between);
    const ball = new SphereGeometry((this.between ? 0.012 : 0.016) * size, 20, 14);
    this.balls = this.points.map(() => new Mesh(ball, skin(said.type === 'spring' ? SPRING : LOOP)));
    this.group.add(...this.balls);
  }

  // Follows the links, which have been placed before.
  move() {
    const [from, to] = this.points.map((point, i) => point.clone().applyMatrix4(this.ends[i].group.matrix));
    this.balls[0].position.copy(from);
    this.balls[1].position.copy(to);
    if (this.between) stretch(this.between, from, to);
  }
}

// Where the ground of contacts lies, and how it is turned; the plane z = 0 of a run that has none.
export function plane(run) {
  if (!run.ground) return null;
  const normal = new Vector3(...run.ground.normal).normalize();
  return { point: new Vector3(...run.ground.point), normal,
           turn: new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal) };
}
