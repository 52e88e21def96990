import type { JsonValue } from "@smolts/protocol";
import type { Refusal, RefusalCode } from "../wire.ts";
import { escapedHtml } from "./page.ts";

const statuses: Readonly<Record<RefusalCode, number>> = {
  "not-entered": 401,
  "wrong-code": 401,
  "foreign-origin": 403,
  "not-found": 404,
  "too-many": 429,
  "too-large": 413,
  "wrong-type": 415,
  "bad-request": 400,
  busy: 409,
  "stale-decision": 409,
  "effects-repeat": 409,
  "run-ended": 409,
  "agent-failed": 500,
  "server-failed": 500,
};

/** A request that the server refuses. */
export class RefusedRequest extends Error {
  readonly code: RefusalCode;
  readonly hint: string | undefined;
  readonly details: JsonValue | undefined;

  constructor(
    code: RefusalCode,
    message: string,
    { hint, details }: { readonly hint?: string | undefined; readonly details?: JsonValue | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  /** Returns the refusal as a page for the person who opened the address in a browser. */
  toPage(): Response {
    const { code, message, hint = "" } = this;
    const said = [message, hint].filter((text) => text !== "").map((text) => `<p>${escapedHtml(sentence(text))}</p>`);
    const html = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Not here</title><h1>This page cannot be shown</h1>${said.join("")}`;
    return new Response(html, {
      status: statuses[code],
      headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" },
    });
  }

  toResponse(): Response {
    const { code, message, hint, details } = this;
    const error = {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    };
    const body: Refusal = { error };
    return Response.json(body, {
      status: statuses[code],
      ...(code === "too-many" ? { headers: { "retry-after": "2" } } : {}),
    });
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
