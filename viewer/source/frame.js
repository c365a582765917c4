// The camera rule: a motion fills 76 % of the picture's width or height, whichever binds, with equal margins.
import { Box3, Vector3 } from 'three';

const SHARE = 0.76;
const MOMENTS = 48;
const DIRECTIONS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => new Vector3(x, y, z))))
  .filter((direction) => direction.lengthSq() > 0);

// Corners of a surface that are farthest in 26 directions.
function extremes(geometry) {
  if (geometry.userData.extremes) return geometry.userData.extremes;
  const places = geometry.attributes.position, p = new Vector3();
  const best = DIRECTIONS.map(() => ({ far: -Infinity, corner: new Vector3() }));
  for (let i = 0; i < places.count; i++) {
    p.fromBufferAttribute(places, i);
    DIRECTIONS.forEach((direction, k) => {
      const far = p.dot(direction);
      if (far > best[k].far) { best[k].far = far; best[k].corner.copy(p); }
    });
  }
  geometry.userData.extremes = places.count > 0 ? best.map(({ corner }) => corner) : [];
  return geometry.userData.extremes;
}

// Points of all parts of the robot, at moments of its run; and corners of obstacles that are not much larger.
export function cloudOf(robot, time) {
  const points = [], moments = Math.min(time.length, MOMENTS);
  for (let i = 0; i < moments; i++) {
    robot.move([Math.round((i * (time.length - 1)) / Math.max(1, moments - 1)), 0]);
    robot.group.traverseVisible((mesh) => {
      if (mesh.isMesh) extremes(mesh.geometry).forEach((corner) => points.push(corner.clone().applyMatrix4(mesh.matrixWorld)));
    });
  }
  const large = 3 * new Box3().setFromPoints(points).getSize(new Vector3()).length();
  robot.obstacles.updateMatrixWorld(true);
  for (const obstacle of robot.obstacles.children) {
    const { min, max } = new Box3().setFromObject(obstacle);
    if (max.distanceTo(min) >= large) continue;
    for (let i = 0; i < 8; i++) points.push(new Vector3(...['x', 'y', 'z'].map((axis, k) => (i & (1 << k) ? max : min)[axis])));
  }
  return points.length > 0 ? points : [new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5)];
}

// Place of the eye for a direction of view; `slope` is the tangent of half the angle of view, upright.
export function frame(points, direction, slope, aspect) {
  const right = new Vector3(0, 0, 1).cross(direction).normalize(), up = direction.clone().cross(right);
  const most = (u, k) => points.reduce((best, p) => Math.max(best, p.dot(u) + k * p.dot(direction)), -Infinity);
  const across = (u, k) => (most(u, k) + most(u.clone().negate(), k)) / (2 * k);
  const far = Math.max(across(up, SHARE * slope), across(right, SHARE * slope * aspect));
  const middle = (u) => {
    let low = -most(u.clone().negate(), 0), high = most(u, 0);
    for (let step = 0; step < 40; step++) {
      const c = (low + high) / 2;
      let left = Infinity, over = -Infinity;
      for (const p of points) {
        const s = (p.dot(u) - c) / (far - p.dot(direction));
        left = Math.min(left, s);
        over = Math.max(over, s);
      }
      if (left + over > 0) low = c; else high = c;
    }
    return (low + high) / 2;
  };
  return direction.clone().multiplyScalar(far).addScaledVector(right, middle(right)).addScaledVector(up, middle(up));
}
