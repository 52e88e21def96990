// The types of the web platform that our declarations name. A program without the DOM library and
// without Node's types does not have them, and would find errors in our declarations. Where one of
// the two is there, these are merged with it and add nothing.

declare global {
  interface AbortSignal {}
  interface Blob {}
  interface FormData {}
  interface Headers {}
  interface Request {}
  interface RequestInit {}
  interface Response {}
  interface URL {}
}

/** A function that sends a request, as the platform's `fetch` does. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
