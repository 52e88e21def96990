import type { GuardedFetchOptions } from "../guarded-fetch/guarded-fetch.ts";

/**
 * `guardedFetch`, loaded when something is first fetched: the tools that use it are imported by
 * many programs that fetch nothing.
 */
export async function publicFetch(given: string | URL, options: GuardedFetchOptions = {}): Promise<Response> {
  const { guardedFetch } = await import("../guarded-fetch/guarded-fetch.ts");
  return guardedFetch(given, options);
}
