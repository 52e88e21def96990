// The host's own view of typed arrays: accessors taken from its prototypes, which no guest can reach or change.

const { get: hostLength } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length") as {
  get(): number;
};

/** The number of elements of a typed array. */
export function typedArrayLength(array: object): number {
  return hostLength.call(array as Uint8Array); // the accessor itself refuses what is no typed array
}
