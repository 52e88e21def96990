// Confidence intervals of 95 %, each by a published method:
//
// - one proportion: Wilson's score interval (E. B. Wilson, JASA 22, 1927)
// - the difference of two paired proportions: Newcombe's method 10 (R. G. Newcombe, Statistics in
//   Medicine 17, 1998, pages 2635-2650)
// - any other mean, and the mean of any other paired differences: the percentile bootstrap over
//   cases (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13)
//
// The bootstrap uses a random generator with a fixed seed, so the same rows always have the same
// interval.

/** A 95 % confidence interval. */
export interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

/** The standard normal deviate for a two-sided 95 % interval. */
const z = 1.959963984540054;

/** Returns the mean of values. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the interval of a mean: by Wilson's method if all scores are 0 or 1, else by bootstrap.
 * Null if there are no values.
 */
export function meanInterval(values: readonly number[]): ConfidenceInterval | null {
  if (values.length === 0) return null;
  return areBinary(values) ? wilson(meanOf(values), values.length) : bootstrap(values);
}

/**
 * Returns the interval of the mean of `after - before`. Both lists contain the scores of the same
 * cases in the same order. Null if there are no values.
 */
export function pairedInterval(before: readonly number[], after: readonly number[]): ConfidenceInterval | null {
  if (before.length === 0) return null;
  if (areBinary(before) && areBinary(after)) return newcombe(before, after);
  return bootstrap(after.map((value, index) => value - (before[index] ?? 0)));
}

/** Returns the name of the method that {@link pairedInterval} uses for these scores. */
export const pairedMethod = (before: readonly number[], after: readonly number[]): "newcombe" | "bootstrap" =>
  areBinary(before) && areBinary(after) ? "newcombe" : "bootstrap";

const areBinary = (values: readonly number[]): boolean => values.every((value) => value === 0 || value === 1);

function wilson(proportion: number, count: number): ConfidenceInterval {
  const centre = proportion + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((proportion * (1 - proportion)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

function newcombe(before: readonly number[], after: readonly number[]): ConfidenceInterval {
  const count = before.length;
  const [first, second] = [meanOf(after), meanOf(before)];
  const [firstInterval, secondInterval] = [wilson(first, count), wilson(second, count)];
  const phi = correlation(before, after);
  const reach = (one: number, other: number): number => Math.sqrt(one ** 2 - 2 * phi * one * other + other ** 2);
  const difference = first - second;
  return {
    low: difference - reach(first - firstInterval.low, secondInterval.high - second),
    high: difference + reach(firstInterval.high - first, second - secondInterval.low),
  };
}

/**
 * Returns the phi coefficient of the 2 x 2 table of pairs, with Newcombe's continuity correction.
 */
function correlation(before: readonly number[], after: readonly number[]): number {
  const count = before.length;
  const tally = (one: number, other: number): number =>
    after.filter((value, index) => value === one && before[index] === other).length;
  const [both, onlyAfter, onlyBefore, neither] = [tally(1, 1), tally(1, 0), tally(0, 1), tally(0, 0)];
  const margins = (both + onlyAfter) * (onlyBefore + neither) * (both + onlyBefore) * (onlyAfter + neither);
  if (margins === 0) return 0;
  const product = both * neither - onlyAfter * onlyBefore;
  const corrected = product > 0 ? Math.max(product - count / 2, 0) : product;
  return corrected / Math.sqrt(margins);
}

function bootstrap(values: readonly number[]): ConfidenceInterval {
  // Use fewer draws if there are many cases, so that a million cases take only seconds. Means of
  // many cases vary little.
  const draws = Math.max(1_000, Math.min(10_000, Math.floor(20_000_000 / values.length)));
  const random = generator(0x5eed);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let count = 0; count < values.length; count++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means[draw] = sum / values.length;
  }
  means.sort();
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** Returns a quantile of sorted values. Interpolates linearly between two values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  return below + (place - Math.floor(place)) * ((sorted[Math.ceil(place)] ?? 0) - below);
}

/** Returns a random generator (Marsaglia's 32-bit xorshift) of numbers from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Returns how far the mean of `future` more values may be from the mean of `values`, in either
 * direction, with 95 % confidence. This is half the width of a prediction interval, which assumes a
 * normal distribution. Infinite for fewer than two values.
 */
export function predictionReach(values: readonly number[], future: number): number {
  if (values.length < 2) return Number.POSITIVE_INFINITY;
  const mean = meanOf(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return student(values.length - 1) * Math.sqrt(variance * (1 / values.length + 1 / future));
}

/** Returns Student's t for a two-sided 95 % interval. */
function student(freedom: number): number {
  const small = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
  // From 11 degrees of freedom, the first terms of Fisher's expansion are exact to three digits.
  return (
    small[freedom - 1] ?? z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
  );
}
