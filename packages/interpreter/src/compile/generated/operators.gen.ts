// Written by scripts/generate-operators.ts; do not edit.

import { isSameLong } from "../../operations/comparison.ts";
import type { Evaluate } from "../context.ts";
import { unboxed } from "../unboxed.ts";

/**
 * How an operand is read: from a slot of the current frame, a constant number, or by evaluating.
 */
export interface Operand {
  readonly kind: "slot" | "constant" | "expression";
  readonly slot: number;
  readonly constant: number;
  readonly evaluate: Evaluate;
}

/** The general case of an operator. */
export type Slow = (left: unknown, right: unknown) => unknown;

/**
 * Says whether an operator has closures for operands of all kinds. Others have some for
 * `expression constant` and `expression expression` only.
 */
export function isFrequent(operator: string): boolean {
  switch (operator) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "===":
    case "!==":
      return true;
    default:
      return false;
  }
}

/**
 * Returns the closure for an operator on two operands, or null when there is none. `slow` is
 * called unless both operands are numbers.
 */
export function specialBinary(operator: string, left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
    case "+":
      return add(left, right, slow);
    case "-":
      return subtract(left, right, slow);
    case "*":
      return multiply(left, right, slow);
    case "/":
      return divide(left, right, slow);
    case "%":
      return remainder(left, right, slow);
    case "<":
      return less(left, right, slow);
    case "<=":
      return lessOrEqual(left, right, slow);
    case ">":
      return greater(left, right, slow);
    case ">=":
      return greaterOrEqual(left, right, slow);
    case "&":
      return bitAnd(left, right, slow);
    case "|":
      return bitOr(left, right, slow);
    case "^":
      return bitXor(left, right, slow);
    case "<<":
      return shiftLeft(left, right, slow);
    case ">>":
      return shiftRight(left, right, slow);
    case ">>>":
      return shiftRightUnsigned(left, right, slow);
    case "===":
      return strictlyEqual(left, right);
    case "!==":
      return strictlyUnequal(left, right);
    default:
      return null;
  }
}

/** Returns the closure for a compound assignment to a slot, or null when there is none. */
export function specialAssignment(operator: string, slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (operator) {
    case "+=":
      return addAssignment(slot, right, slow);
    case "-=":
      return subtractAssignment(slot, right, slow);
    case "*=":
      return multiplyAssignment(slot, right, slow);
    case "/=":
      return divideAssignment(slot, right, slow);
    case "%=":
      return remainderAssignment(slot, right, slow);
    case "&=":
      return bitAndAssignment(slot, right, slow);
    case "|=":
      return bitOrAssignment(slot, right, slow);
    case "^=":
      return bitXorAssignment(slot, right, slow);
    case "<<=":
      return shiftLeftAssignment(slot, right, slow);
    case ">>=":
      return shiftRightAssignment(slot, right, slow);
    case ">>>=":
      return shiftRightUnsignedAssignment(slot, right, slow);
    default:
      return null;
  }
}

/** An operator on two values. `slow` is called unless both are numbers. */
export function specialOperation(operator: string, slow: Slow): Slow {
  switch (operator) {
    case "+":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a + b : slow(a, b));
    case "-":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : slow(a, b));
    case "*":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a * b : slow(a, b));
    case "/":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a / b : slow(a, b));
    case "%":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b));
    case "&":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a & b : slow(a, b));
    case "|":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a | b : slow(a, b));
    case "^":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a ^ b : slow(a, b));
    case "<<":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a << b : slow(a, b));
    case ">>":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a >> b : slow(a, b));
    case ">>>":
      return (a, b) => (typeof a === "number" && typeof b === "number" ? a >>> b : slow(a, b));
    default:
      return slow;
  }
}

function add(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a + b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a + b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a + b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a + b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function subtract(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a - b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a - b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a - b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a - b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function multiply(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a * b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a * b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a * b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a * b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function divide(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a / b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a / b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a / b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a / b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a / b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a / b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a / b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a / b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function remainder(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function less(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a < b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a < b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a < b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a < b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function lessOrEqual(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a <= b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a <= b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function greater(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a > b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a > b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a > b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a > b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function greaterOrEqual(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightConstant;
        return typeof a === "number" ? a >= b : slow(a, b);
      };
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftConstant;
        const b = frame[rightSlot];
        return typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftConstant;
        const b = rightEvaluate(frame);
        return typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a >= b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function bitAnd(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a & b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a & b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function bitOr(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a | b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a | b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function bitXor(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a ^ b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a ^ b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function shiftLeft(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a << b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a << b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function shiftRight(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a >> b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a >> b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function shiftRightUnsigned(left: Operand, right: Operand, slow: Slow): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightConstant;
        return typeof a === "number" ? a >>> b : slow(a, b);
      };
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "number" && typeof b === "number" ? a >>> b : slow(a, b);
      };
    }
    default:
      return null;
  }
}

function strictlyEqual(left: Operand, right: Operand): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b;
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => frame[leftSlot] === rightConstant;
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b;
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => leftConstant === frame[rightSlot];
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => leftConstant === rightEvaluate(frame);
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b;
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => leftEvaluate(frame) === rightConstant;
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b;
      };
    }
    default:
      return null;
  }
}

function strictlyUnequal(left: Operand, right: Operand): Evaluate | null {
  switch (`${left.kind} ${right.kind}`) {
    case "slot slot": {
      const leftSlot = left.slot;
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[leftSlot];
        const b = frame[rightSlot];
        return !(typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b);
      };
    }
    case "slot constant": {
      const leftSlot = left.slot;
      const rightConstant = unboxed(right.constant);
      return (frame) => frame[leftSlot] !== rightConstant;
    }
    case "slot expression": {
      const leftSlot = left.slot;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[leftSlot];
        const b = rightEvaluate(frame);
        return !(typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b);
      };
    }
    case "constant slot": {
      const leftConstant = unboxed(left.constant);
      const rightSlot = right.slot;
      return (frame) => leftConstant !== frame[rightSlot];
    }
    case "constant expression": {
      const leftConstant = unboxed(left.constant);
      const rightEvaluate = right.evaluate;
      return (frame) => leftConstant !== rightEvaluate(frame);
    }
    case "expression slot": {
      const leftEvaluate = left.evaluate;
      const rightSlot = right.slot;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = frame[rightSlot];
        return !(typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b);
      };
    }
    case "expression constant": {
      const leftEvaluate = left.evaluate;
      const rightConstant = unboxed(right.constant);
      return (frame) => leftEvaluate(frame) !== rightConstant;
    }
    case "expression expression": {
      const leftEvaluate = left.evaluate;
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = leftEvaluate(frame);
        const b = rightEvaluate(frame);
        return !(typeof a === "string" || typeof a === "bigint" ? isSameLong(a, b) : a === b);
      };
    }
    default:
      return null;
  }
}

function addAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "slot": {
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[slot];
        const b = frame[rightSlot];
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a + b : slow(a, b));
      };
    }
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a + b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a + b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function subtractAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "slot": {
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[slot];
        const b = frame[rightSlot];
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a - b : slow(a, b));
      };
    }
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a - b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a - b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function multiplyAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "slot": {
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[slot];
        const b = frame[rightSlot];
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a * b : slow(a, b));
      };
    }
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a * b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a * b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function divideAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "slot": {
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[slot];
        const b = frame[rightSlot];
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a / b : slow(a, b));
      };
    }
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a / b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a / b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function remainderAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "slot": {
      const rightSlot = right.slot;
      return (frame) => {
        const a = frame[slot];
        const b = frame[rightSlot];
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b));
      };
    }
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? (a > 0 && b > 0 && (a | 0) === a && (b | 0) === b ? (a | 0) % (b | 0) : a % b) : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function bitAndAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a & b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a & b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function bitOrAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a | b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a | b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function bitXorAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a ^ b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a ^ b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function shiftLeftAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a << b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a << b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function shiftRightAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a >> b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a >> b : slow(a, b));
      };
    }
    default:
      return null;
  }
}

function shiftRightUnsignedAssignment(slot: number, right: Operand, slow: Slow): Evaluate | null {
  switch (right.kind) {
    case "constant": {
      const rightConstant = unboxed(right.constant);
      return (frame) => {
        const a = frame[slot];
        const b = rightConstant;
        return (frame[slot] = typeof a === "number" ? a >>> b : slow(a, b));
      };
    }
    case "expression": {
      const rightEvaluate = right.evaluate;
      return (frame) => {
        const a = frame[slot];
        const b = rightEvaluate(frame);
        return (frame[slot] = typeof a === "number" && typeof b === "number" ? a >>> b : slow(a, b));
      };
    }
    default:
      return null;
  }
}
