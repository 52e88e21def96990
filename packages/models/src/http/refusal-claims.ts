// Reads why a server refused a request, from the body of its answer. The body may have any JSON
// format: OpenAI's `error` with its `param`, pydantic's list of `detail`s with their `loc`, an
// error as a string, or a string that quotes the JSON of another server. Parts of the request that
// the server repeats are ignored.

import { isRecord } from "@smolts/protocol";
import { type LooseObject, objectIn, parsedJson } from "../wires/loose-json.ts";

/** A claim is one problem that the server says it found in the request. */
export interface Claim {
  /** The path in the request, such as `["tool_choice", "type"]`. Empty if the server names none. */
  readonly path: readonly string[];
  /** Everything that the server says about the problem. */
  readonly text: string;
}

/**
 * Returns all problems that a server reports in the body of a refusal. Problems with a path in the
 * request come first.
 */
export function claimsIn(body: string): readonly Claim[] {
  const claims = [...claimsOf(parsedJson(body) ?? body, 0)];
  return [...claims.filter(({ path }) => path.length > 0), ...claims.filter(({ path }) => path.length === 0)];
}

const maxTextLength = 4_000;
const maxDepth = 8;

/** The keys that servers use to say what is wrong. */
const textKeys = ["message", "msg", "error", "detail", "details", "reason", "description", "title", "raw"];
const kindKeys = ["type", "code", "status"];
const pathKeys = ["param", "parameter", "loc", "path", "field", "property", "pointer", "instancePath", "json_path"];

/** The keys that servers use to repeat the request, or to show what the model wrote. */
const echoKeys: ReadonlySet<string> = new Set(
  "input ctx url body request value received failed_generation user_id metadata_input messages".split(" "),
);

function* claimsOf(value: unknown, depth: number): Generator<Claim> {
  if (depth > maxDepth) return;
  if (typeof value === "string")
    yield* claimsInText(value.slice(0, maxTextLength).replaceAll(/https?:\/\/\S+/g, ""), depth);
  else if (Array.isArray(value)) for (const item of value) yield* claimsOf(item, depth + 1);
  else if (isRecord(value)) yield* claimsOfObject(value, depth);
}

function* claimsOfObject(value: LooseObject, depth: number): Generator<Claim> {
  const paths = [...pathKeys.map((key) => value[key]), objectIn(value["source"])["pointer"]].map(pathOf);
  const path = paths.find((one) => one.length > 0) ?? [];
  const kinds = kindKeys.map((key) => value[key]).filter((kind) => typeof kind === "string");
  const texts: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (echoKeys.has(key) || pathKeys.includes(key)) continue;
    if (typeof inner !== "string") yield* claimsOf(inner, depth + 1);
    else if (textKeys.includes(key)) {
      for (const claim of claimsOf(inner, depth + 1)) {
        if (claim.path.length > 0) yield claim;
        else texts.push(claim.text);
      }
    }
  }
  // The kind of the error often says what is wrong, such as `extra_forbidden` or
  // `unsupported_parameter`.
  if (texts.length > 0) yield { path, text: [...texts, ...kinds].join(". ") };
}

/**
 * Yields the text as a claim. If the text quotes another server's error (as JSON, as printed Python
 * or in pydantic's format), yields the claims in that error.
 */
function* claimsInText(text: string, depth: number): Generator<Claim> {
  if (/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text)) return;
  const json = text.includes("{") ? parsedJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) : undefined;
  if (isRecord(json) && /error|message|detail/i.test(Object.keys(json).join(" "))) {
    yield* claimsOf(json, depth + 1);
    return;
  }
  const printed = [...text.matchAll(pythonDetail), ...text.matchAll(pydanticError)];
  for (const { groups = {} } of printed) {
    const path = pathOf((groups["path"] ?? "").split(/[\s,'".]+/));
    yield { path, text: `${groups["what"]} ${groups["type"] ?? ""}` };
  }
  if (printed.length === 0) yield { path: [], text };
}

/**
 * Matches an error that Python has printed: `{'type': 'extra_forbidden', 'loc': ('body', 'stop'),
 * 'msg': 'Extra inputs are not permitted', 'input': ...}`
 */
const pythonDetail =
  /(?:'type': '(?<type>\w+)', )?'loc': [[(](?<path>[^\])]{0,200})[\])], 'msg': (?:'|")(?<what>[^'"]{0,300})/g;

/**
 * Matches an error that pydantic has printed: `stop\n  Extra inputs are not permitted
 * [type=extra_forbidden, input_value=...`
 */
const pydanticError = /(?:^|\n)(?<path>[\w.[\]-]{1,100})\n {2}(?<what>[^\n[]{1,300})\[type=(?<type>\w+)/g;

/**
 * Names in a path that stand for the whole request or for a type in a schema, not for a field.
 */
const wrapping = /^(?:body|request|payload|json|query|params|root|\$|#|__root__|[A-Z]\w*)$/;

/**
 * Returns the names in a path. Paths are written as `messages[0].role`, `/tool_choice/type` or
 * `["body", "stop"]`.
 */
function pathOf(value: unknown): readonly string[] {
  const names = (Array.isArray(value) ? value : [value]).flatMap((part) =>
    typeof part === "string" || typeof part === "number" ? String(part).split(/[.[\]/]+/) : [],
  );
  const named = names.filter((name) => name !== "");
  const start = named.findIndex((name) => !wrapping.test(name));
  return start === -1 ? [] : named.slice(start).map(snakeCase);
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
