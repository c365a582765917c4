// Closed loops of a robot whose joints are moved by hand: the joints that loops determine follow by a damped
// Gauss-Newton iteration on the residuals of all loops.
import { Matrix4, Vector3 } from 'three';

const CLOSED = 1e-6; // residual at which the iteration ends [m], or the sine of an angle
const ACCEPTED = 1e-5; // largest residual of loops that count as closed
const STEP = 1e-6;   // of the differences that the matrix is made of

// Solves the equations of a symmetric positive matrix, in place.
function solve(A, b) {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i][k]) > Math.abs(A[best][k])) best = i;
    [A[k], A[best]] = [A[best], A[k]];
    [b[k], b[best]] = [b[best], b[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = A[i][k] / A[k][k];
      for (let j = k; j < n; j++) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
  return b;
}

export class Loops {
  constructor(robot, loops, matrix) {
    this.robot = robot;
    this.loops = loops.map((loop) => ({
      ...loop,
      frames: [matrix(loop.from_frame), matrix(loop.to_frame)],
      axis: new Vector3(...loop.axis),
      second: new Vector3(...loop.second),
    }));
    const columns = robot.links.filter((link) => link.dependent).flatMap((link) => link.positions || [link.position]);
    this.unknown = [...new Set(columns)];
    this.turned = robot.links.filter((link) => link.dependent && link.positions && link.positions.length >= 4)
      .map((link) => link.positions.slice(-4));
  }

  // The position of a link's own joint.
  own(index) {
    const link = this.robot.links[index];
    return link.position ? link.ratio * link.position[0] + link.offset : 0;
  }

  path(from, to) {
    const above = (index) => { const list = []; for (let i = index; i >= 0; i = this.robot.links[i].parent) list.push(i); return list; };
    const a = above(from), b = above(to);
    return [a.filter((i) => !b.includes(i)), b.filter((i) => !a.includes(i))];
  }

  residuals() {
    const all = [];
    for (const loop of this.loops) {
      if (loop.type === 'relation') {
        all.push(loop.terms.reduce((sum, { of, coefficients }) => sum + coefficients.reduceRight((s, c) => s * this.own(of) + c, 0), 0));
        continue;
      }
      if (loop.type === 'coupling') {
        const sum = (list) => list.reduce((s, i) => s + this.own(i), 0), [from, to] = this.path(loop.from, loop.to);
        all.push(sum(to) - loop.ratio * sum(from));
        continue;
      }
      const [A, B] = [loop.from, loop.to].map((link, i) => new Matrix4().multiplyMatrices(this.robot.links[link].group.matrix, loop.frames[i]));
      const M = A.clone().invert().multiply(B), d = new Vector3().setFromMatrixPosition(M), e = M.elements;
      const axis = loop.axis.clone().transformDirection(M), across = d.clone().cross(loop.axis);
      const parallel = loop.axis.clone().cross(axis);
      const rotation = new Vector3(e[6] - e[9], e[8] - e[2], e[1] - e[4]).multiplyScalar(0.5);
      const rows = {
        fixed: [...d, ...rotation], revolute: [...d, ...parallel], prismatic: [...across, ...rotation],
        cylindrical: [...across, ...parallel], spherical: [...d], planar: [d.dot(loop.axis), ...parallel],
        universal: [...d, loop.axis.dot(loop.second.clone().transformDirection(M))], distance: [d.length() - loop.length],
      }[loop.type];
      all.push(...rows);
    }
    this.turned.forEach((quaternion) => all.push(quaternion.reduce((sum, column) => sum + column[0] ** 2, 0) - 1));
    return all;
  }

  at() {
    this.robot.move([0, 0]);
    return this.residuals();
  }

  // Closes all loops from where the joints are; false: there is no way, and nothing has moved.
  close() {
    const n = this.unknown.length, before = this.unknown.map((column) => column[0]);
    const worst = (r) => r.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    let r = this.at();
    for (let turn = 0; turn < 60 && worst(r) > CLOSED && n > 0; turn++) {
      const columns = this.unknown.map((column) => {
        const x = column[0];
        column[0] = x + STEP;
        const moved = this.at();
        column[0] = x;
        return moved.map((value, i) => (value - r[i]) / STEP);
      });
      const A = columns.map((a, i) => columns.map((b, j) => a.reduce((s, x, k) => s + x * b[k], 0) + (i === j ? 1e-10 : 0)));
      const step = solve(A, columns.map((a) => -a.reduce((s, x, k) => s + x * r[k], 0)));
      const longest = Math.max(0.3, ...step.map(Math.abs));
      this.unknown.forEach((column, i) => { column[0] += (0.3 / longest) * step[i]; });
      r = this.at();
    }
    if (worst(r) <= ACCEPTED) return true;
    this.unknown.forEach((column, i) => { column[0] = before[i]; });
    this.at();
    return false;
  }
}
