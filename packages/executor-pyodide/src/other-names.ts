// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/executor-pyodide");

/** @internal */
export const PyodideExecutor: () => never = /* @__PURE__ */ other("PyodideExecutor", "pyodide()");
/** @internal */
export const WasmExecutor: () => never = /* @__PURE__ */ other("WasmExecutor", "pyodide()");
/** @internal */
export const PythonExecutor: () => never = /* @__PURE__ */ other("PythonExecutor", "pyodide()");
/** @internal */
export const LocalPythonExecutor: () => never = /* @__PURE__ */ other("LocalPythonExecutor", "pyodide()");
/** @internal */
export const Pyodide: () => never = /* @__PURE__ */ other("Pyodide", "pyodide()");
