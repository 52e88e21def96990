// What a program's results rest on besides its code: our own rules, and the host's engine for
// numbers, texts and dates. A log names it, so that a replay which ends otherwise can say what has
// changed.

/** Raised when the same program may print, count or compute otherwise than before. */
const semantics = 1;

/** The environment of programs in this process, by name. */
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

/** Node, Deno and Bun have them; browsers do not. */
function versionsOfHost(): { readonly [part: string]: string | undefined } {
  const host = globalThis as { readonly process?: { readonly versions?: { readonly [part: string]: string } } };
  return host.process?.versions ?? {};
}

const navigatorName = (): string | undefined =>
  (globalThis as { readonly navigator?: { readonly userAgent?: string } }).navigator?.userAgent;
