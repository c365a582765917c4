// Things between two points that move: a bar, a spring.
import { CylinderGeometry, Curve, Mesh, MeshStandardMaterial, TubeGeometry, Vector3 } from 'three';

function solid(geometry, colour) {
  return new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.4, metalness: 0.3 }));
}

// One metre along z, which `stretch` makes as long as it has to be.
export function bar(radius, colour) {
  return solid(new CylinderGeometry(radius, radius, 1, 24).rotateX(Math.PI / 2), colour);
}

class Helix extends Curve {
  constructor(radius, turns) {
    super();
    Object.assign(this, { radius, turns });
  }

  // Straight at both ends.
  getPoint(t, to = new Vector3()) {
    const angle = 2 * Math.PI * this.turns * t, wide = this.radius * Math.min(1, 12 * t, 12 * (1 - t));
    return to.set(wide * Math.cos(angle), wide * Math.sin(angle), t - 0.5);
  }
}

// Makes a helical spring of one metre along z.
export function spring(radius, colour) {
  return solid(new TubeGeometry(new Helix(radius, 9), 240, 0.2 * radius, 6), colour);
}

export function stretch(mesh, from, to) {
  const along = new Vector3().subVectors(to, from);
  mesh.scale.set(1, 1, Math.max(along.length(), 1e-9));
  mesh.position.addVectors(from, to).multiplyScalar(0.5);
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), along.normalize());
}
