// A hydraulic cylinder between two links, and the rocker and coupler of those that push through a four-bar linkage.
import { Group, Matrix4, Vector3 } from 'three';

import { bar, stretch } from './bar.js';

const BARREL = '#2b8f83', STEEL = '#c9d0d6';

export class Cylinder {
  // `size` is that of the robot: what the file does not say is drawn in proportion.
  constructor(said, links, size) {
    Object.assign(this, said);
    this.ends = [links[said.from], links[said.to]];
    this.driven = this.ends[1];
    while (this.driven.joint === 'fixed' && this.driven.parent >= 0) this.driven = links[this.driven.parent];
    this.holder = links[this.driven.parent];
    const bore = Math.max(said.bore ? 0.57 * said.bore : 0.012 * size, 0.006 * size); // and its wall
    this.barrel = bar(bore, BARREL);
    this.rod = bar(Math.max(said.rod / 2, 0.4 * bore), STEEL);
    this.links = said.linkage ? [bar(0.5 * bore, STEEL), bar(0.5 * bore, STEEL)] : [];
    this.group = new Group();
    this.group.add(this.barrel, this.rod, ...this.links);
    this.shortest = Infinity;
  }

  // Where the rod ends, and with a linkage where the rocker turns and where the coupler holds the link.
  points() {
    const [from, to] = this.ends.map(({ group }) => group.matrix);
    const held = new Vector3(...this.to_point).applyMatrix4(to);
    if (!this.linkage) return { end: held };
    const { rocker, coupler, branch } = this.linkage;
    const pivot = new Vector3(...this.linkage.pivot).applyMatrix4(from);
    const home = new Matrix4().multiplyMatrices(this.holder.group.matrix, this.driven.origin);
    const axis = this.driven.direction.clone().transformDirection(home);
    // Two circles meet, about the pivot and about where the coupler holds; the branch says on which side.
    const line = new Vector3().subVectors(held, pivot).projectOnPlane(axis);
    const square = line.lengthSq(), along = square + rocker ** 2 - coupler ** 2;
    const side = Math.sqrt(Math.max(0, 4 * square * rocker ** 2 - along ** 2));
    const end = new Vector3().crossVectors(axis, line).multiplyScalar((branch * side) / (2 * square))
      .addScaledVector(line, along / (2 * square)).add(pivot);
    return { end, pivot, held };
  }

  // Follows the links, which have been placed before.
  move() {
    const begin = new Vector3(...this.from_point).applyMatrix4(this.ends[0].group.matrix);
    const { end, pivot, held } = this.points();
    this.length = begin.distanceTo(end);
    this.shortest = Math.min(this.shortest, this.length);
    const barrel = Math.min(0.9 * (this.closed_length || 0.8 * this.shortest), 0.98 * this.length);
    stretch(this.barrel, begin, new Vector3().lerpVectors(begin, end, barrel / this.length));
    stretch(this.rod, begin, end);
    if (this.linkage) {
      stretch(this.links[0], pivot, end);
      stretch(this.links[1], end, held);
    }
  }
}
