// Makes whole numbers unboxed, because V8 handles unboxed numbers fastest. If a field has ever
// contained a fraction, V8 boxes even the whole numbers that it reads from the field. Arithmetic on
// a boxed number makes V8 expect fractions at that place. The number fields of the syntax tree are
// such fields, so their values are unboxed here.

/**
 * Returns the value of a number literal. A small whole number is returned unboxed. The value is
 * never -0, which `| 0` would change to 0.
 */
export function unboxed(value: number): number {
  return (value | 0) === value ? value | 0 : value;
}
