// Describes a Web Worker by its shape. Executors for browsers take one, and the compiler of their
// user may not have the DOM library.

/** The members of a Web Worker that executors use. */
export interface WebWorker {
  onmessage: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
