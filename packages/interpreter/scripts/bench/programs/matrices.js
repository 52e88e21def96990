// Matrices as arrays of arrays: products, elimination, a regression, and powers.

const zeros = (rows, columns) => Array.from({ length: rows }, () => new Array(columns).fill(0));

function multiply(a, b) {
  const result = zeros(a.length, b[0].length);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b[0].length; j++) {
      let sum = 0;
      for (let k = 0; k < b.length; k++) sum += a[i][k] * b[k][j];
      result[i][j] = sum;
    }
  }
  return result;
}

const transpose = (matrix) => matrix[0].map((_, column) => matrix.map((row) => row[column]));

function solve(matrix, vector) {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, vector[i]]);
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[pivot][i])) pivot = k;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let k = i + 1; k < n; k++) {
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j <= n; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  const result = new Array(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i][n];
    for (let j = i + 1; j < n; j++) sum -= rows[i][j] * result[j];
    result[i] = sum / rows[i][i];
  }
  return result;
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

function main() {
  const a = zeros(40, 40).map((row, i) => row.map((_, j) => Math.sin(i * 40 + j) + (i === j ? 5 : 0)));
  const product = multiply(a, transpose(a));
  const solution = solve(
    product,
    a.map((row) => dot(row, row)),
  );
  const points = Array.from({ length: 800 }, (_, i) => [1, i / 100, (i / 100) ** 2]);
  const values = points.map(([, x]) => 3 + 2 * x - 0.5 * x * x + Math.sin(x * 50) / 10);
  const transposed = transpose(points);
  const fit = solve(
    multiply(transposed, points),
    transposed.map((row) => dot(row, values)),
  );
  let power = [
    [0.9, 0.1],
    [0.4, 0.6],
  ];
  for (let i = 0; i < 200; i++)
    power = multiply(power, power).map((row) => row.map((x) => x / row.reduce((s, y) => s + y, 0)));
  const total = [...solution, ...fit, ...power.flat()].reduce((sum, x) => sum + x, 0);
  return Math.round(total * 1e6);
}
