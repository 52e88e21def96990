// The Mandelbrot set: fractions in local variables.

function mandelbrot(size) {
  let sum = 0;
  let bits = 0;
  let bitCount = 0;
  for (let y = 0; y < size; y++) {
    const ci = (2 * y) / size - 1;
    for (let x = 0; x < size; x++) {
      const cr = (2 * x) / size - 1.5;
      let zi = 0;
      let zrSquared = 0;
      let ziSquared = 0;
      let escapes = 0;
      for (let round = 0; round < 50; round++) {
        const zr = zrSquared - ziSquared + cr;
        zi = 2 * zr * zi + ci;
        zrSquared = zr * zr;
        ziSquared = zi * zi;
        if (zrSquared + ziSquared > 4) {
          escapes = 1;
          break;
        }
      }
      bits = (bits << 1) + escapes;
      bitCount++;
      if (bitCount === 8) {
        sum ^= bits;
        bits = 0;
        bitCount = 0;
      } else if (x === size - 1) {
        sum ^= bits << (8 - bitCount);
        bits = 0;
        bitCount = 0;
      }
    }
  }
  return sum;
}

function main() {
  return mandelbrot(140);
}
