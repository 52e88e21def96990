// Whole numbers in the representation that V8 handles fastest. If a field has ever contained a
// fraction, V8 also boxes the whole numbers in it when it reads them. Arithmetic on a boxed number
// teaches V8 to expect fractions at that place. The fields of the syntax tree are such fields.

/** Returns the number of a literal, which is never -0. A small whole number is returned unboxed. */
export function unboxed(value: number): number {
  return (value | 0) === value ? value | 0 : value;
}
