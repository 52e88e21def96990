// The realm that parses and rewrites blocks. No code of a block ever runs in it.

import { describeSyntaxError, placeOf } from "../../executor-remote/runners/node/describe-error.ts";
import { readProgram, rewriteProgram } from "../../executor-remote/runners/node/rewrite-program.ts";

type KnownSource = Parameters<typeof placeOf>[2] extends ReadonlyMap<string, infer Source> ? Source : never;

type ToReader =
  | { readonly type: "read"; readonly name: string; readonly code: string; readonly tools: readonly string[] }
  | { readonly type: "check"; readonly code: string }
  | { readonly type: "place"; readonly stack: string; readonly present: string };

/** Sets up the realm, and returns the function that receives messages. */
export function openRealm(): (text: string) => string {
  const sources = new Map<string, KnownSource>();
  return (text) => {
    const message = JSON.parse(text) as ToReader; // the cast is safe: our thread wrote this text
    switch (message.type) {
      case "read":
        return JSON.stringify(read(message, sources));
      case "check":
        return JSON.stringify({ isProgram: isProgram(message.code) });
      case "place":
        return JSON.stringify({ place: placeOf({ stack: message.stack }, message.present, sources) });
      default:
        return message satisfies never;
    }
  };
}

function read({ name, code, tools }: Extract<ToReader, { type: "read" }>, sources: Map<string, KnownSource>): object {
  const source = { name, text: code };
  try {
    const { text, names, originalOffset } = rewriteProgram(source, new Set(tools));
    sources.set(name, { text: code, generated: text, originalOffset });
    return { text, names };
  } catch (error) {
    const broken = describeSyntaxError(error, source);
    if (!broken) throw error;
    return { text: null, names: [], broken };
  }
}

function isProgram(code: string): boolean {
  try {
    readProgram({ name: "block", text: code });
    return true;
  } catch {
    return false;
  }
}
