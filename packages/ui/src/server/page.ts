// Returns the page: one document, one script, one style sheet, and headers that forbid everything
// else.

import { sha256, toBase64 } from "@smolts/protocol";
import { builtClient } from "./built-client.ts";

/** The values that the document contains before its script runs. */
export interface PageOptions {
  readonly title: string;
  readonly theme: "system" | "light" | "dark";
  readonly locale?: string | undefined;
  /** The sites that may show the page in a frame. */
  readonly frameAncestors: readonly string[];
  /**
   * The relative address of the page's folder, as the browser sees it, such as `./`. The addresses
   * of scripts and other files in the page start with it.
   */
  readonly below: string;
}

/**
 * Returns the Content Security Policy. The page may run its own script, talk to its own server, and
 * show images and sounds from that server. `trusted-types 'none'` makes the browser refuse to turn
 * strings into script or markup.
 */
const contentSecurityPolicy = (frameAncestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...frameAncestors].join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** The headers of every response. */
export const commonHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Returns the HTML document of the page. */
export async function pageResponse({
  title,
  theme,
  locale,
  frameAncestors,
  ...options
}: PageOptions): Promise<Response> {
  const { script, style } = await builtClient();
  const [scriptHash, styleHash] = (await Promise.all([contentHash(script), contentHash(style)])).map(
    encodeURIComponent,
  );
  const language = escapedHtml(locale ?? "en");
  const below = escapedHtml(options.below);
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)}</title>
<link rel="icon" href="${below}assets/favicon.svg">
<link rel="stylesheet" href="${below}assets/agent-ui.css?${styleHash}">
<script type="module" src="${below}assets/agent-ui.js?${scriptHash}"></script>
</head>
<body><agent-ui src="${below}" theme="${theme}"${locale === undefined ? "" : ` locale="${language}"`}></agent-ui>
<noscript>This page needs JavaScript.</noscript></body>
</html>
`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(frameAncestors),
    },
  });
}

/** Returns a file of the page; null if there is no file with that name. */
export async function assetResponse(name: string): Promise<Response | null> {
  const { script, style, parts } = await builtClient();
  const javaScript = "text/javascript; charset=utf-8";
  const assets: Readonly<Record<string, readonly [type: string, text: string]>> = {
    ...Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, [javaScript, text] as const])),
    "agent-ui.js": [javaScript, script],
    "agent-ui.css": ["text/css; charset=utf-8", style],
    "favicon.svg": ["image/svg+xml", favicon],
  };
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (!asset) return null;
  const [type, text] = asset;
  return new Response(text, {
    headers: { "content-type": type, "cache-control": "private, max-age=31536000, immutable" },
  });
}

/** Returns the SHA-256 of a text in base64, as a Content Security Policy needs it. */
export async function contentHash(text: string): Promise<string> {
  return toBase64(await sha256(text));
}

/** Escapes a text for HTML. */
export const escapedHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

// The logo: the prompt of a shell and a fish.
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <style>
    .fish { fill: #0b6875; stroke: #0b6875; }
    @media (prefers-color-scheme: dark) { .fish { fill: #5bc3cf; stroke: #5bc3cf; } }
  </style>
  <path class="fish" d="M1.9 6 6.5 12 1.9 18" style="fill: none" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>
  <path class="fish" style="stroke: none" fill-rule="evenodd" d="M9.3 12.9a1.6 1.6 0 0 1 0-1.8C11.3 7.4 13.8 5.4 16.4 5.4c2.7 0 5 1.9 6.8 5.5a2.2 2.2 0 0 1 0 2.2c-1.8 3.6-4.1 5.5-6.8 5.5-2.6 0-5.1-2-7.1-5.7ZM20.2 10.6a1.8 1.8 0 1 0-3.6 0 1.8 1.8 0 1 0 3.6 0Z"/>
</svg>`;
