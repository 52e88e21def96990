// Finds the part of a request that a server refuses. Servers and models differ in what they accept:
// some support no temperature, some no stop sequences, some no choice of tools. Instead of a table
// of models, the text of the refusal is read. The request is then repeated without the refused
// part. It is not repeated if the refusal is about the user's own data (a schema, a number that is
// too large, an image that cannot be read), because the user must see that error.

import { type Claim, claimsIn } from "./refusal-claims.ts";

/**
 * Changes to a refused request, other than leaving out a field. The texts are chosen so that they
 * cannot be confused with the names of fields.
 */
export const concessions = {
  /** Sends `auto`, so that the model may choose whether to call a tool. */
  freeToolChoice: "tool_choice: auto",
  /** Sends the system prompt in the role of the user. */
  noSystemRole: "messages: no system role",
  /** Replaces images and sounds by a note. */
  noMedia: "messages: text only",
  /** Writes the ids of tool calls as nine letters and digits. */
  shortCallIds: "messages: short call ids",
  /** Adds a message of the assistant between tool results and the user's message. */
  turnAfterResults: "messages: a turn after results",
  /** Sends schemas without the mark `strict`. */
  notStrict: "strict",
} as const;

/**
 * Returns the field that the server's answer refuses; undefined if it refuses none of `fields`.
 *
 * @param fields - the parts that the request could do without: names of its fields, and
 *   {@link concessions}
 */
export function refusedField(status: number, body: string, fields: readonly string[]): string | undefined {
  if (!refusals.has(status) || fields.length === 0) return undefined;
  for (const claim of claimsIn(body)) {
    const field = fieldOf(claim, fields);
    if (field !== undefined) return field;
    // This claim is about a part of the request that must not be left out. Other claims may mention
    // a field by chance, so they are ignored.
    if (isOfRequest(claim, fields)) return undefined;
  }
  return undefined;
}

/**
 * The HTTP statuses of answers that may refuse a field. 400 and 422 are usual. llama.cpp
 * sends 500. OpenRouter sends 404 if none of its providers accepts a field.
 */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 422, 500, 501]);

const isOfRequest = ({ path: [root = ""] }: Claim, fields: readonly string[]): boolean =>
  root !== "" && (essential.has(root) || fields.some((field) => aliasesOf(field).includes(root)));

/** The fields that every request needs. */
export const essential: ReadonlySet<string> = new Set(
  "model models messages input inputs contents content prompt system instructions tools functions stream".split(" "),
);

function fieldOf(claim: Claim, fields: readonly string[]): string | undefined {
  const [root = ""] = claim.path;
  const concession = concessionFor(claim, fields);
  if (concession !== undefined) return concession;
  if (isAboutSchema(claim.text)) return schemaConcession(claim, fields);
  if (essential.has(root)) return undefined;
  const located = fields.find((field) => aliasesOf(field).includes(root));
  if (located !== undefined) return isRefused(located, claim, true) ? weakened(located, claim, fields) : undefined;
  const mentioned = fields
    .map((field) => ({ field, at: mentionOf(field, claim.text) }))
    .filter(({ at }) => at !== -1)
    // If the field `tool_choice` conflicts with another field, `tool_choice` is left out first.
    .sort((one, other) => Number(isToolChoice(other.field)) - Number(isToolChoice(one.field)) || one.at - other.at);
  const refused = mentioned.find(({ field }) => isRefused(field, claim, false))?.field;
  return refused === undefined ? undefined : weakened(refused, claim, fields);
}

const isToolChoice = (field: string): boolean => field === "tool_choice" || field === "toolChoice";

/**
 * Returns what to change after a field was refused:
 * - If a forced choice of tools was refused, returns the concession that sends `auto` instead.
 * - If the server does not know the field for the choice of tools at all, returns that field, so
 *   that it is left out.
 * - Returns all other fields as they are.
 */
function weakened(field: string, { text }: Claim, fields: readonly string[]): string {
  const isUnknown = unknownField.test(text) && !/this tool_choice|tool.choice.{0,20}(?:must|only|value)/i.test(text);
  return isToolChoice(field) && !isUnknown && fields.includes(concessions.freeToolChoice)
    ? concessions.freeToolChoice
    : field;
}

/** Matches a text that says that the server does not know the field, whatever its value is. */
const unknownField =
  /extra[_ ](?:inputs?|fields?|forbidden)|unknown[_ ](?:name|field|parameter|argument|key|property)|unrecogni[sz]ed|unexpected[_ ](?:keyword|field|argument|parameter|property)|additional propert|unsupported[_ ]parameter|property '\w+' is unsupported|cannot find field/i;

/** Matches a text that says that the server or the model does not support something. */
const unsupported = new RegExp(
  [
    unknownField.source,
    "unsupported|(?:not|n't|cannot|n.t) (?:both |be |currently |yet |natively |fully |currently be )*(?:support|accept|permit|allow|enabl|implement|recogni|available|applicable|compatible|take|used|combined|specified|set\\b)",
    "no support for|lacks support|does not exist for|not a (?:valid|known|supported) (?:parameter|field|argument|option|property)",
    "unavailable|disallowed|prohibited|not defined|extraneous|deprecated|no longer|incompatible|conflicts? with|mutually exclusive|not compatible|forbidden|disabled",
    "unknown variant|invalid (?:parameter|field|argument|option)s?\\b|(?:may|must|should|can) not be|is only (?:supported|allowed|available|valid)|only (?:supports?|accepts?|allows?|works?|be used|available)",
    "requires? (?:the )?-{1,2}\\w|(?:supported|allowed|available|enabled|valid) only|please remove|remove (?:the|this)|no endpoints found|ignored|only the default",
  ].join("|"),
  "i",
);

/** Matches a text that says that the server knows the field, but does not accept this value. */
const wrongValue =
  /must (?:either )?be|should be|did not match|does not match|permitted:|expected|has to be|one of|invalid|not valid|bad value|supported values|only .{0,30}(?:is|are) (?:supported|allowed)|may only/i;

/** Matches a text that says that a number or a list, which the user passed, is out of bounds. */
const outOfBounds =
  /too (?:large|small|high|low|long|short|many|few|big)|(?:greater|less|more|fewer|larger|smaller|longer) than|at (?:most|least)|between|out of (?:range|bounds)|exceed|m(?:ax|in)imum|or (?:less|more|equal)|[<>≤≥]=? ?\d|in the range|must be (?:positive|non-?negative|an? (?:integer|number|int|float))|valid (?:integer|number)/i;

/** Matches a text that says that only one value is accepted, so the field can be left out. */
const onlyDefault =
  /only the default|only (?:\w+ ?=? ?)?1(?:\.0)? is (?:allowed|supported)|may only be set to 1|must be (?:set to |exactly )?1(?:\.0)?(?![\d.]| or| and)|only (?:supports?|accepts?|allows?) (?:\w+ ?=? ?)?(?:a value of )?1(?:\.0)?\b/i;

/**
 * The fields with values that this package sets. If a server complains about such a field, the
 * request is repeated without the field.
 */
const ours: ReadonlySet<string> = new Set(
  "stop stop_sequences stopSequences stream_options tool_choice toolChoice response_format responseFormat output_config text format include cache_control store strict".split(
    " ",
  ),
);

function isRefused(field: string, { text }: Claim, isLocated: boolean): boolean {
  // If the chosen tool is not among the tools, the caller has made a mistake, so the error must be
  // shown.
  if (
    isToolChoice(field) &&
    /(?:not found|not (?:present |included )?in) .{0,20}tools|no (?:such )?(?:tool|function) (?:named|called)/i.test(
      text,
    )
  )
    return false;
  if (ours.has(field))
    return unsupported.test(text) || wrongValue.test(text) || (isLocated && !/missing|required$/i.test(text));
  if (onlyDefault.test(text)) return true;
  if (outOfBounds.test(text)) return false;
  return unsupported.test(text) || (chosenOfList.has(field) && wrongValue.test(text));
}

/** Fields that accept only certain words, such as `low` and `high`. They depend on the model. */
const chosenOfList: ReadonlySet<string> = new Set(
  "reasoning_effort reasoning thinking think service_tier verbosity".split(" "),
);

/** Groups of names that different servers use for the same field. */
const aliasGroups: readonly (readonly string[])[] = [
  [
    "tool_choice",
    "toolChoice",
    "function_calling_config",
    "tool_config",
    "forced tool",
    "forced function",
    "forces tool",
    "forcing tool",
  ],
  [
    "response_format",
    "responseFormat",
    "output_config",
    "output_format",
    "text",
    "format",
    "json_schema",
    "json_object",
    "json mode",
    "json schema",
    "json format",
    "structured output",
    "structured outputs",
    "guided_json",
    "guided decoding",
    "guided generation",
    "constrained decoding",
    "grammar",
    "response_schema",
    "response_mime_type",
  ],
  ["stop", "stop_sequences", "stopSequences", "stop_words", "stop_strings", "stop_tokens", "stop_sequence"],
  ["stream_options", "include_usage"],
  ["parallel_tool_calls", "parallel tool calling", "parallel function calls", "parallel function calling"],
  ["thinking", "think"],
  ["reasoning", "reasoning_effort", "thinking_config", "thinking_budget"],
  ["include", "encrypted content", "encrypted_content"],
  ["cache_control", "prompt caching"],
  ["max_tokens"],
  ["max_completion_tokens"],
  ["max_output_tokens", "maxOutputTokens"],
];

const aliasesOf = (field: string): readonly string[] => aliasGroups.find((group) => group.includes(field)) ?? [field];

/** Returns the position at which a text mentions a field, or -1. */
function mentionOf(field: string, text: string): number {
  const places = aliasesOf(field)
    .map((alias) => text.search(mention(alias)))
    .filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}

/**
 * Returns a pattern that finds a field's name in a text. A short name may also be an English word,
 * so it matches only if it is marked as a name, for example by quotes.
 */
function mention(name: string): RegExp {
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(/[_ ]/);
  if (words.length > 1) return new RegExp(`(?<![a-z])${words.join("[_ -]?")}(?![a-z])`, "i");
  const [word = ""] = words;
  if (word === "temperature" || word === "grammar") return new RegExp(`(?<![a-z_])${word}(?![a-z_])`, "i");
  const named = "(?:parameter|param|field|argument|arg|property|key|option|setting|attribute|name|input)s?";
  return new RegExp(
    [
      `["'\`“”‘’«[(*/.] ?${word}\\\\?["'\`“”‘’»\\]),:*.=]`,
      `\\b${named}:? (?:named |called |is |are )?${word}\\b`,
      `\\b${word} ${named}\\b`,
      `(?:^|[.;,] |: |> )${word}(?:\\s?[:=]|$|[.,;]|\\s(?:is|are|does|cannot|must|may|not|un))`,
      `\\bsupport(?:s|ed|ing)?:? (?:the |for )?${word}\\b`,
      `\\b${word}\\s(?:is|are) (?:not|un|only|no)`,
    ].join("|"),
    "i",
  );
}

/** Says whether the text is about a schema that the user wrote. */
const isAboutSchema = (text: string): boolean =>
  /invalid (?:json )?schema|(?<!_)\bschema\b.{0,40}(?:invalid(?!_)|malformed|not valid|too |must|error|missing)|unsupported (?:json )?schema|schema (?:keyword|conversion|validation)|in context=|additionalProperties|\$ref|\$defs|(?:compile|parse|convert).{0,30}(?:schema|grammar)|invalid (?:function|tool) (?:parameters|definition)/i.test(
    text,
  );

/**
 * Returns the concession `notStrict` if the schema is refused only because it is marked as strict.
 */
function schemaConcession({ text }: Claim, fields: readonly string[]): string | undefined {
  const isAboutStrict = /strict|additional_?properties|'?required'? is required|all (?:fields|properties) must/i;
  return fields.includes(concessions.notStrict) && isAboutStrict.test(text) ? concessions.notStrict : undefined;
}

/**
 * Returns the concession that this refusal calls for, if the refusal is about messages or strict
 * schemas.
 */
function concessionFor(claim: Claim, fields: readonly string[]): string | undefined {
  const { text, path } = claim;
  const whole = `${path.join(".")} ${text}`;
  const [root = ""] = path;
  if (path.includes("strict") && fields.includes(concessions.notStrict)) return concessions.notStrict;
  if (root !== "" && !essential.has(root)) return undefined;
  return Object.entries(tests).find(([name, test]) => fields.includes(name) && test(whole))?.[0];
}

const tests: Readonly<Record<string, (text: string) => boolean>> = {
  [concessions.noMedia]: (text) =>
    /image|vision|multi-?modal|audio|input_file|\bfiles?\b|pdf|mmproj|content.{0,40}must be a string|value must be a string|content.{0,60}valid string/i.test(
      text,
    ) &&
    (unsupported.test(text) ||
      /must be a string|valid string|at most 0|not a (?:multimodal|vision)|text[- ]only|expected `?(?:a )?(?:text|string)|mmproj|missing data required|only (?:be )?text/i.test(
        text,
      )) &&
    !/image (?:format|type|size|file)|unsupported image|media[_ ]?type|mime|decod|download|corrupt|valid image|invalid image|fetch|base64|dimension|too (?:large|many|big)|pixels|at most [1-9]/i.test(
      text,
    ),
  [concessions.noSystemRole]: (text) =>
    /\bsystem\b|developer (?:role|message|instruction)|roles? must alternate|only user.{0,30}roles? (?:are|is)|messages?[. [\]\d]+\.?role\b.{0,40}(?:input should be|one of)/i.test(
      text,
    ) &&
    /role|message|instruction|prompt/i.test(text) &&
    (unsupported.test(text) ||
      /only user|must alternate|not one of|input should be|unknown role|invalid role|unexpected role "?'?system/i.test(
        text,
      )) &&
    !/after role|except for tool calls|at the beginning|must be (?:the )?first|too long|system_fingerprint/i.test(text),
  [concessions.shortCallIds]: (text) =>
    /tool.?call.?id/i.test(text) && /length of 9|9[- ]char|a-z, A-Z, 0-9/i.test(text),
  [concessions.turnAfterResults]: (text) =>
    /role.{0,4}user.{0,6} after role.{0,4}tool|after (?:a )?["'`]?tool["'`]?(?: role| message)?.{0,60}(?:must|should|expected).{0,30}assistant|must alternate.{0,60}except for tool calls/i.test(
      text,
    ),
  [concessions.notStrict]: (text) =>
    /(?:^|[."'`\s[(])strict(?:["'`\]),: ]|$)|strict (?:mode|schema|tool|function)/i.test(text) &&
    unsupported.test(text),
};
