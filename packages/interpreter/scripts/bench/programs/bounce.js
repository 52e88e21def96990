// A hundred balls in a box: objects whose whole-number fields change, and a random number generator.

class Random {
  seed = 74_755;
  next() {
    this.seed = (this.seed * 1_309 + 13_849) & 65_535;
    return this.seed;
  }
}

class Ball {
  constructor(random) {
    this.x = random.next() % 500;
    this.y = random.next() % 500;
    this.xSpeed = (random.next() % 300) - 150;
    this.ySpeed = (random.next() % 300) - 150;
  }
  /** Moves the ball. Returns whether it hit a wall. */
  bounce() {
    const most = 500;
    let bounced = false;
    this.x += this.xSpeed;
    this.y += this.ySpeed;
    if (this.x > most) {
      this.x = most;
      this.xSpeed = 0 - Math.abs(this.xSpeed);
      bounced = true;
    }
    if (this.x < 0) {
      this.x = 0;
      this.xSpeed = Math.abs(this.xSpeed);
      bounced = true;
    }
    if (this.y > most) {
      this.y = most;
      this.ySpeed = 0 - Math.abs(this.ySpeed);
      bounced = true;
    }
    if (this.y < 0) {
      this.y = 0;
      this.ySpeed = Math.abs(this.ySpeed);
      bounced = true;
    }
    return bounced;
  }
}

function bounces() {
  const random = new Random();
  const balls = Array.from({ length: 100 }, () => new Ball(random));
  let count = 0;
  for (let i = 0; i < 50; i++) {
    for (const ball of balls) if (ball.bounce()) count++;
  }
  return count;
}

function main() {
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += bounces();
  return sum / 10;
}
