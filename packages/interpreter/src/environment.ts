// Everything that a program's results depend on besides its code: the rules of this interpreter,
// and the host's engine for numbers, strings and dates. The log records the versions of both. If a
// replay ends differently, the versions show what has changed.

/** Increase this number when the same program may print, count or compute something different. */
const semantics = 1;

/** Returns, by name, the versions on which the results of programs depend in this process. */
export function environmentOfPrograms(): { readonly [part: string]: string } {
  const { v8, webkit, icu, unicode } = versionsOfHost();
  const engine = webkit ? `webkit ${webkit}` : v8 ? `v8 ${v8}` : (navigatorName() ?? "unknown");
  return {
    semantics: String(semantics),
    engine,
    ...(icu && { icu }),
    ...(unicode && { unicode }),
    locale: "en-US",
    timeZone: "UTC",
  };
}

/** The versions of the host. Node, Deno and Bun report them; browsers do not. */
function versionsOfHost(): { readonly [part: string]: string | undefined } {
  const host = globalThis as { readonly process?: { readonly versions?: { readonly [part: string]: string } } };
  return host.process?.versions ?? {};
}

const navigatorName = (): string | undefined =>
  (globalThis as { readonly navigator?: { readonly userAgent?: string } }).navigator?.userAgent;
