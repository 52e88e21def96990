// Writes ONNX files. Implements only the parts of the format (protobuf,
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) that a small model needs.

/** A tensor of a graph. */
export interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** A node of a graph. */
export interface GraphNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** An input or output of a graph. A dimension that is a string may have any size. */
export interface GraphValue {
  readonly name: string;
  readonly type: "float" | "int64";
  readonly dims: readonly (number | string)[];
}

/** A graph. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly constants: readonly Tensor[];
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
}

/** Returns the bytes of a model with this graph. */
export function onnxFile({ nodes, constants, inputs, outputs }: Graph): Uint8Array {
  const graph = [
    ...nodes.map((node) => field(1, nodeBytes(node))),
    field(2, text("tiny")),
    ...constants.map((tensor) => field(5, tensorBytes(tensor))),
    ...inputs.map((value) => field(11, valueBytes(value))),
    ...outputs.map((value) => field(12, valueBytes(value))),
  ];
  const operators = join([field(1, text("")), number(2, 17)]);
  return join([number(1, 8), field(7, join(graph)), field(8, operators)]);
}

const elementTypes = { float: 1, int64: 7 } as const;

function nodeBytes({ operator, inputs, outputs, attributes = {} }: GraphNode): Uint8Array {
  return join([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(operator)),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeBytes(name, value))),
  ]);
}

function attributeBytes(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value === "number") return join([field(1, text(name)), number(3, value), number(20, 2)]);
  return join([field(1, text(name)), ...value.map((item) => number(8, item)), number(20, 7)]);
}

function tensorBytes({ name, dims, values }: Tensor): Uint8Array {
  const type = values instanceof Float32Array ? elementTypes.float : elementTypes.int64;
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return join([...dims.map((dim) => number(1, dim)), number(2, type), field(8, text(name)), field(9, raw)]);
}

function valueBytes({ name, type, dims }: GraphValue): Uint8Array {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? number(1, dim) : field(2, text(dim))));
  const tensor = join([number(1, elementTypes[type]), field(2, join(shape))]);
  return join([field(1, text(name)), field(2, field(1, tensor))]);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const number = (id: number, value: number): Uint8Array => join([varint(BigInt(id << 3)), varint(BigInt(value))]);

const field = (id: number, bytes: Uint8Array): Uint8Array =>
  join([varint(BigInt((id << 3) | 2)), varint(BigInt(bytes.length)), bytes]);

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return new Uint8Array(bytes);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
