import type { GuardedFetchOptions } from "../guarded-fetch/guarded-fetch.ts";

/**
 * Fetches with `guardedFetch`, which is loaded at the first call. Many programs import tools that
 * can fetch, but never fetch anything.
 */
export async function publicFetch(address: string | URL, options: GuardedFetchOptions = {}): Promise<Response> {
  const { guardedFetch } = await import("../guarded-fetch/guarded-fetch.ts");
  return guardedFetch(address, options);
}
