// Reads, assigns and initialises variables. A variable can be a slot of a frame, a binding of the
// session, or a property of the global object.

import type { Identifier, Node } from "acorn";
import type { Reference } from "../analyse/reference.ts";
import { frameDistance, type Variable } from "../analyse/scope.ts";
import { answerNames, type Binding, SessionBindings, uninitialized } from "../bindings.ts";
import type { Frame } from "../frame.ts";
import { type Position, throwError, throwTypeError } from "../guest-throw.ts";
import { setOrThrow } from "../operations/property.ts";
import { type Context, type Evaluate, positionOf, referenceOf } from "./context.ts";

/** Stores a value into a variable. */
export type Store = (frame: Frame, value: unknown) => void;

/**
 * Returns the slot of an identifier if its variable is in the current frame and certainly
 * initialised. Otherwise returns 0.
 */
export function localSlot(context: Context, node: Node): number {
  if (node.type !== "Identifier" || context.evaluated.has(node)) return 0;
  const { variable, checked, scope } = referenceOf(context, node);
  if (!variable || variable.binding || checked || frameDistance(scope, variable) !== 0) return 0;
  return variable.slot;
}

/**
 * Returns the slot that {@link localSlot} finds. Returns 0 for a constant, because an assignment to
 * a constant throws.
 */
export function assignableSlot(context: Context, node: Node): number {
  const slot = localSlot(context, node);
  if (slot === 0) return 0;
  const { variable } = referenceOf(context, node);
  return variable && isConstant(variable) ? 0 : slot;
}

/** Compiles a read of an identifier. */
export function readIdentifier(context: Context, node: Identifier): Evaluate {
  const reference = referenceOf(context, node);
  if (!reference.variable && node.name === "undefined") return () => undefined;
  return readReference(context, reference, positionOf(context, node));
}

/** Compiles a read of the variable that a reference refers to. */
export function readReference(context: Context, reference: Reference, position: Position): Evaluate {
  const { variable, name } = reference;
  if (!variable) return readGlobal(context, name, position);
  if (variable.binding) return readBinding(variable.binding, position);
  const { slot } = variable;
  const distance = frameDistance(reference.scope, variable);
  return reference.checked ? readChecked(name, slot, distance, position) : readSlot(slot, distance);
}

/**
 * Compiles an assignment to an identifier. Assigning to constants and uninitialised variables
 * throws.
 */
export function assignIdentifier(context: Context, node: Identifier): Store {
  const reference = referenceOf(context, node);
  const { variable, name, checked } = reference;
  const position = positionOf(context, node);
  if (!variable) return assignGlobal(context, name, position);
  if (variable.kind === "self")
    return () => throwTypeError(`cannot assign to "${name}": it is the function's own name`, position);
  if (isConstant(variable)) return refuseAssignment(context, reference, position);
  if (variable.binding) return assignBinding(variable.binding, position);
  const store = storeSlot(variable.slot, frameDistance(reference.scope, variable));
  return checked ? checkedStore(readReference(context, reference, position), store) : store;
}

/** Compiles the initialisation of a declared variable. */
export function initializeIdentifier(context: Context, node: Identifier): Store {
  return initializeReference(referenceOf(context, node));
}

/** Compiles the initialisation of the variable that a reference refers to. */
export function initializeReference({ variable, scope }: Reference): Store {
  const { binding, slot } = variable as Variable; // a declaration always has a variable
  if (binding) {
    return (_frame, value) => {
      binding.value = value;
    };
  }
  return storeSlot(slot, frameDistance(scope, variable as Variable));
}

/** Compiles `typeof name`. It does not throw for undeclared names. */
export function typeofIdentifierValue(context: Context, node: Identifier): Evaluate {
  const reference = referenceOf(context, node);
  if (reference.variable) return readIdentifier(context, node);
  const { realm, bindings } = context;
  const read = readIdentifier(context, node);
  return (frame) =>
    bindings.get(node.name) || node.name in realm.materializeGlobal(node.name) ? read(frame) : undefined;
}

function isConstant({ kind }: Variable): boolean {
  return kind === "const" || kind === "self" || kind === "import";
}

function readSlot(slot: number, distance: number): Evaluate {
  switch (distance) {
    case 0:
      return (frame) => frame[slot];
    case 1:
      return (frame) => (frame[0] as Frame)[slot]; // slot 0 is the frame of the enclosing scope, here and below
    case 2:
      return (frame) => ((frame[0] as Frame)[0] as Frame)[slot];
    default:
      return (frame) => frameAt(frame, distance)[slot];
  }
}

function readChecked(name: string, slot: number, distance: number, position: Position): Evaluate {
  const fail = () => throwUninitialized(name, position);
  switch (distance) {
    case 0:
      return (frame) => {
        const value = frame[slot];
        return value === uninitialized ? fail() : value;
      };
    case 1:
      return (frame) => {
        const value = (frame[0] as Frame)[slot];
        return value === uninitialized ? fail() : value;
      };
    default:
      return (frame) => {
        const value = frameAt(frame, distance)[slot];
        return value === uninitialized ? fail() : value;
      };
  }
}

function storeSlot(slot: number, distance: number): Store {
  switch (distance) {
    case 0:
      return (frame, value) => {
        frame[slot] = value;
      };
    case 1:
      return (frame, value) => {
        (frame[0] as Frame)[slot] = value;
      };
    default:
      return (frame, value) => {
        frameAt(frame, distance)[slot] = value;
      };
  }
}

function frameAt(frame: Frame, distance: number): Frame {
  let found = frame;
  for (let left = distance; left > 0; left--) found = found[0] as Frame;
  return found;
}

function checkedStore(read: Evaluate, store: Store): Store {
  return (frame, value) => {
    read(frame);
    store(frame, value);
  };
}

function refuseAssignment(context: Context, reference: Reference, position: Position): Store {
  const read = readReference(context, reference, position);
  return (frame) => {
    read(frame);
    throwTypeError(`cannot assign to "${reference.name}": it is a constant`, position);
  };
}

function throwUninitialized(name: string, position: Position): never {
  return throwError("ReferenceError", `cannot access "${name}" before its declaration has run`, position);
}

function readBinding(binding: Binding, position: Position): Evaluate {
  return () => {
    const { value } = binding;
    return value === uninitialized ? throwUninitialized(binding.name, position) : value;
  };
}

function assignBinding(binding: Binding, position: Position): Store {
  return (_frame, value) => {
    if (binding.kind === "const") throwTypeError(`cannot assign to "${binding.name}": it is a constant`, position);
    if (binding.kind === "tool") throwTypeError(`cannot redefine the tool "${binding.name}"`, position);
    if (binding.value === uninitialized) throwUninitialized(binding.name, position);
    binding.value = value;
  };
}

/**
 * Compiles a read of a name that this program does not declare: a binding of an earlier program, or
 * a built-in. Looks the name up again whenever bindings have been added.
 */
function readGlobal({ bindings, realm }: Context, name: string, position: Position): Evaluate {
  let binding = bindings.get(name);
  let seen = bindings.version;
  const global = realm.materializeGlobal(name);
  const mayHide = answerNames.has(name); // a variable can have the answer tool's name and hide the tool
  return () => {
    if ((binding === undefined || mayHide) && seen !== bindings.version) {
      binding = bindings.get(name);
      seen = bindings.version;
    }
    if (binding !== undefined)
      return binding.value === uninitialized ? throwUninitialized(name, position) : binding.value;
    const value = global[name];
    if (value !== undefined || name in global) return value;
    return throwError("ReferenceError", `"${name}" is not defined`, position);
  };
}

/**
 * Compiles an assignment to an undeclared name. The assignment creates a top-level variable, so
 * that later programs can use the value. An error would not help anyone.
 */
function assignGlobal({ bindings, realm }: Context, name: string, position: Position): Store {
  const global = realm.materializeGlobal(name);
  return (frame, value) => {
    const binding = bindings.variable(name);
    if (binding && bindings.isImported(name))
      return throwTypeError(`cannot assign to "${name}": it is imported`, position);
    if (binding) return assignBinding(binding, position)(frame, value);
    if (bindings.tool(name) && !answerNames.has(name))
      return throwTypeError(`cannot redefine the tool "${name}"`, position);
    if (name in global) return setOrThrow(global, name, value);
    if (bindings === SessionBindings.closed) return throwError("ReferenceError", `"${name}" is not defined`, position);
    bindings.declare(name, "implicit").value = value;
  };
}
