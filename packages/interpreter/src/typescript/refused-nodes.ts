// Refuses TypeScript syntax that cannot simply be erased, such as `enum`, because it would need
// generated code. The error says what to write instead.

import type { SourceText } from "../guest-throw.ts";
import { TypeRefusal } from "./type-refusal.ts";
import { nodeIn, nodesIn, type TypedNode } from "./typed-node.ts";

/** Refuses a node that cannot be erased. @throws TypeRefusal for such a node */
export function refuse(node: TypedNode, source: SourceText): void {
  const refusal = refusals[node.type];
  if (refusal) throw new TypeRefusal(refusal.message, source, node.start, refusal.hint(node, source.text));
}

interface Refusal {
  readonly message: string;
  readonly hint: (node: TypedNode, text: string) => string;
}

const refusals: { readonly [type: string]: Refusal } = {
  TSEnumDeclaration: { message: "an enum is not available", hint: hintForEnum },
  TSModuleDeclaration: {
    message: "a namespace is not available",
    hint: () => "use an object instead, or top-level functions",
  },
  TSParameterProperty: { message: "a parameter cannot declare a property", hint: hintForParameter },
  TSImportEqualsDeclaration: {
    message: '"import =" is not available',
    hint: () => 'write import * as name from "module" for one of the modules that may be imported',
  },
  TSExportAssignment: {
    message: '"export =" is not available',
    hint: () => "leave it out: top-level names stay for later blocks of code",
  },
  Decorator: {
    message: "a decorator is not available",
    hint: () => "leave it out, and call its function on the class or on the method instead",
  },
};

const maxMembers = 20;

/** Returns the hint for an enum, which suggests an object with the same values. */
function hintForEnum(node: TypedNode, text: string): string {
  const members = nodesIn(node, "members").slice(0, maxMembers);
  let next = 0;
  const entries = members.map((member) => {
    const name = textOf(nodeIn(member, "id"), text);
    const value = nodeIn(member, "initializer");
    if (value === null) return `${name}: ${next++}`;
    const number = Number(textOf(value, text));
    if (Number.isInteger(number)) next = number + 1;
    return `${name}: ${textOf(value, text)}`;
  });
  return `write const ${textOf(nodeIn(node, "id"), text)} = { ${entries.join(", ")} };`;
}

function hintForParameter(node: TypedNode, text: string): string {
  const parameter = nodeIn(node, "parameter");
  const name = String((parameter && nodeIn(parameter, "left"))?.["name"] ?? parameter?.["name"] ?? textOf(node, text));
  return `declare it in the class and assign it: class A { ${name}; constructor(${name}) { this.${name} = ${name}; } }`;
}

const textOf = (node: TypedNode | null, text: string): string =>
  node === null ? "" : text.slice(node.start, node.end);
