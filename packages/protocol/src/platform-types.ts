// Declares the types of the web platform and of Node that our declarations use. A program without
// the DOM library and without Node's types does not have them, so its compiler would report errors
// in our declarations. If one of the two is present, these declarations merge with it and add
// nothing.

declare global {
  interface AbortSignal {}
  interface Blob {}
  interface FormData {}
  interface Headers {}
  interface Request {}
  interface RequestInit {}
  interface Response {}
  interface URL {}
  // biome-ignore lint/style/noNamespace: Node declares its types in this namespace
  namespace NodeJS {
    interface ReadableStream {}
    interface WritableStream {}
  }
}

/** A function that sends a request, as the platform's `fetch` does. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The members of a Web Worker that executors use. It is described by its shape, because a user's
 * compiler may not have the DOM library.
 */
export interface WebWorker {
  onmessage: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
