// Whole numbers as the host's engine likes them. Where it has kept fractions once, it boxes whole
// numbers too when they are read, and arithmetic on those teaches it that fractions may come
// everywhere. The syntax tree is such a place.

/**
 * The number of a literal, which is never -0; a small whole one as the host keeps whole numbers.
 */
export function unboxed(value: number): number {
  return (value | 0) === value ? value | 0 : value;
}
