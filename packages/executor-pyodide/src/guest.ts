// The code of the worker. It runs Python in WebAssembly, without access to JavaScript.

import { pythonGuestSource } from "@smolts/executor-remote/python-guest";
import { type FromWorker, MailboxReader } from "@smolts/executor-remote/worker";
import { portSource } from "./port.gen.ts";
import type { Setup } from "./setup.ts";

/** The members of Pyodide that are used. */
interface Pyodide {
  runPython(code: string): unknown;
  loadPackage(names: readonly string[], options: object): Promise<unknown>;
  unpackArchive(bytes: Uint8Array, format: string): void;
  setInterruptBuffer(buffer: Uint8Array): void;
  readonly globals: { get(name: string): PythonFunction; set(name: string, value: unknown): void };
}

type PythonFunction = ((...args: unknown[]) => unknown) & { destroy(): void };

/** The functions that send messages to the host and load Pyodide. */
export interface GuestHost {
  send(text: string): void;
  load(options: { readonly indexURL?: string; readonly jsglobals: object }): Promise<unknown>;
}

/** Starts Python. Returns the function that receives the host's messages. */
export async function startGuest(setup: Setup, { send, load }: GuestHost): Promise<(text: string) => void> {
  const tell = (message: FromWorker): void => send(JSON.stringify(message));
  limitMemory(setup.memoryBytes);
  const pyodide = (await load({
    jsglobals: Object.freeze(Object.create(null)),
    ...(setup.indexUrl === undefined ? {} : { indexURL: setup.indexUrl }),
  })) as Pyodide; // the library's own type has many more members
  if (setup.packages.length > 0) await loadPackages(pyodide, setup.packages);
  for (const wheel of setup.wheels) installWheel(pyodide, wheel);
  if (setup.interrupt) pyodide.setInterruptBuffer(new Uint8Array(setup.interrupt));
  const mailbox = setup.mailbox && new MailboxReader(setup.mailbox, () => tell({ type: "taken" }));
  pyodide.globals.set(
    "_send",
    bare((text) => (typeof text === "string" ? send(text) : undefined)),
  );
  const pull = (timeoutMs: unknown): string => mailbox?.read(Number(timeoutMs)) ?? "";
  pyodide.globals.set("_pull", mailbox ? bare(pull) : undefined);
  pyodide.runPython(`${pythonGuestSource}\n${portSource}\n${startText}`);
  const take = pyodide.globals.get("_take");
  closeNetwork();
  tell({ type: "ready", canWait: mailbox !== undefined });
  return (text) => void take(text);
}

/**
 * Loads packages of Pyodide. Throws if one cannot be loaded: Pyodide itself would only print a
 * message.
 */
async function loadPackages(pyodide: Pyodide, names: readonly string[]): Promise<void> {
  const faults: string[] = [];
  await pyodide.loadPackage(names, {
    messageCallback: () => {},
    errorCallback: (text: string) => void faults.push(text),
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function installWheel(pyodide: Pyodide, { name, bytes }: Setup["wheels"][number]): void {
  try {
    pyodide.unpackArchive(bytes, "wheel");
  } catch (error) {
    // The last line of a traceback says what is wrong.
    const reason = String((error as Error).message)
      .trim()
      .split("\n")
      .at(-1);
    throw new Error(`the wheel "${name}" cannot be installed: ${reason}`);
  }
}

/**
 * Returns a function that a program can call, but through which it cannot get anything else. So the
 * function has no prototype with a constructor, and does not pass on errors.
 */
function bare(act: (argument: unknown) => unknown): object {
  const call = (argument: unknown): unknown => {
    try {
      return act(argument);
    } catch {
      return undefined;
    }
  };
  return Object.freeze(Object.setPrototypeOf(call, null));
}

// The program runs in a new module, so it does not see the variables of our own Python code.
const startText = `
import types
sys.modules["__main__"] = types.ModuleType("__main__")
_port = WasmPort(_send, _pull)
_take = _port.take
remove_javascript()
del _send, _pull
`;

/**
 * Limits the memory by replacing `grow`, the only function through which WebAssembly requests more
 * memory. If `grow` refuses, Python raises a MemoryError.
 */
function limitMemory(memoryBytes: number): void {
  if (memoryBytes === 0) return;
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function limited(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * 65_536 > memoryBytes) throw new RangeError("out of memory");
    return grow.call(this, pages);
  };
}

const networkNames = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
  "WebTransport",
  "importScripts",
  "process",
];

/** Removes the network functions. Python cannot access them anyway; this is a second protection. */
function closeNetwork(): void {
  for (const name of networkNames) Reflect.deleteProperty(globalThis, name);
}
