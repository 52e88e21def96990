// Whole numbers in the representation that V8 handles fastest. If a field ever contained a
// fraction, V8 boxes the whole numbers in it too when it reads them. Arithmetic on a boxed number
// makes V8 expect fractions at that place. The number fields of the syntax tree are such fields.

/** Returns the number of a literal, which is never -0. A small whole number is returned unboxed. */
export function unboxed(value: number): number {
  return (value | 0) === value ? value | 0 : value;
}
