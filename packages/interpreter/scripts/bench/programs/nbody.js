// The planets' orbits: fractions in properties.

const solarMass = 4 * Math.PI * Math.PI;
const daysPerYear = 365.24;

class Body {
  constructor(x, y, z, vx, vy, vz, mass) {
    this.x = x;
    this.y = y;
    this.z = z;
    this.vx = vx * daysPerYear;
    this.vy = vy * daysPerYear;
    this.vz = vz * daysPerYear;
    this.mass = mass * solarMass;
  }
  offsetMomentum(px, py, pz) {
    this.vx = 0 - px / solarMass;
    this.vy = 0 - py / solarMass;
    this.vz = 0 - pz / solarMass;
  }
}

class System {
  constructor() {
    this.bodies = [
      new Body(0, 0, 0, 0, 0, 0, 1),
      new Body(
        4.8414314424647209,
        -1.16032004402742839,
        -0.103622044471123109,
        0.00166007664274403694,
        0.00769901118419740425,
        -0.0000690460016972063023,
        0.000954791938424326609,
      ),
      new Body(
        8.34336671824457987,
        4.12479856412430479,
        -0.403523417114321381,
        -0.00276742510726411,
        0.00499852801234917238,
        0.0000230417297573763929,
        0.000285885980666130812,
      ),
      new Body(
        12.894369562139131,
        -15.1111514016986312,
        -0.223307578892655734,
        0.00296460137564761618,
        0.0023784717395948095,
        -0.0000296589568540237556,
        0.0000436624404335156298,
      ),
      new Body(
        15.3796971148509165,
        -25.9193146099879641,
        0.179258772950371181,
        0.00268067772490389322,
        0.00162824170038242295,
        -0.000095159225451971587,
        0.0000515138902046611451,
      ),
    ];
    let px = 0;
    let py = 0;
    let pz = 0;
    for (const body of this.bodies) {
      px += body.vx * body.mass;
      py += body.vy * body.mass;
      pz += body.vz * body.mass;
    }
    this.bodies[0].offsetMomentum(px, py, pz);
  }
  advance(dt) {
    for (let i = 0; i < this.bodies.length; i++) {
      const a = this.bodies[i];
      for (let j = i + 1; j < this.bodies.length; j++) {
        const b = this.bodies[j];
        const dx = a.x - b.x;
        const dy = a.y - b.y;
        const dz = a.z - b.z;
        const squared = dx * dx + dy * dy + dz * dz;
        const magnitude = dt / (squared * Math.sqrt(squared));
        a.vx -= dx * b.mass * magnitude;
        a.vy -= dy * b.mass * magnitude;
        a.vz -= dz * b.mass * magnitude;
        b.vx += dx * a.mass * magnitude;
        b.vy += dy * a.mass * magnitude;
        b.vz += dz * a.mass * magnitude;
      }
    }
    for (const body of this.bodies) {
      body.x += dt * body.vx;
      body.y += dt * body.vy;
      body.z += dt * body.vz;
    }
  }
  energy() {
    let energy = 0;
    for (let i = 0; i < this.bodies.length; i++) {
      const a = this.bodies[i];
      energy += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
      for (let j = i + 1; j < this.bodies.length; j++) {
        const b = this.bodies[j];
        const dx = a.x - b.x;
        const dy = a.y - b.y;
        const dz = a.z - b.z;
        energy -= (a.mass * b.mass) / Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
    }
    return energy;
  }
}

function main() {
  const system = new System();
  for (let i = 0; i < 5_000; i++) system.advance(0.01);
  return system.energy();
}
