import { AgentError } from "../error.ts";

/**
 * Returns the error about an option that cannot be used. Its stack begins where the option is
 * checked.
 *
 * @param message - what is wrong, and what was expected: `maxSteps is "3"; expected a whole number
 *   >= 1`
 * @param hint - what to write instead: `write maxSteps: 3`
 */
export function invalidOption(message: string, hint?: string): AgentError {
  const error = new AgentError("invalid-option", message, { hint });
  // The cast is needed because only V8 has this function.
  (Error as { captureStackTrace?: (target: object, below: unknown) => void }).captureStackTrace?.(error, invalidOption);
  return error;
}
