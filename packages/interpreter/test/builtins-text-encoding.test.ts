import { test } from "vitest";
import { expectWebAgreement } from "./web-agree.ts";

const rows: readonly string[] = [
  "[...new TextEncoder().encode('aä€😀')]",
  "[...new TextEncoder().encode()]",
  "[...new TextEncoder().encode('\\ud800x')]",
  "new TextEncoder().encode('x') instanceof Uint8Array",
  "new TextEncoder().encoding",
  "const target = new Uint8Array(4); return [new TextEncoder().encodeInto('aäb€', target), [...target]];",
  "new TextEncoder().encodeInto('a', [])",
  "TextEncoder()",
  "new TextDecoder().decode(new Uint8Array([97, 195, 164, 226, 130, 172]))",
  "new TextDecoder().decode(new Uint8Array([97, 255, 98]))",
  "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))",
  "new TextDecoder().decode()",
  "new TextDecoder().decode(new Uint8Array([239, 187, 191, 97])).length",
  "new TextDecoder('utf8', { ignoreBOM: true }).decode(new Uint8Array([239, 187, 191, 97])).length",
  "const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + '|' + d.decode(new Uint8Array([172]));",
  "new TextDecoder('utf-16le').decode(new Uint8Array([97, 0, 98, 0]))",
  "new TextDecoder('nope')",
  "[new TextDecoder(' UTF-8 ').encoding, new TextDecoder().fatal, new TextDecoder().ignoreBOM]",
  "new TextDecoder().decode(new DataView(new Uint8Array([97, 98, 99]).buffer, 1))",
  "new TextDecoder().decode(new Uint16Array([0x6261]).buffer)",
  "new TextDecoder().decode(new Uint8Array([97, 98, 99]).subarray(1, 2))",
  "new TextDecoder().decode('abc')",
  "[btoa('hello'), btoa(''), btoa('\\xff\\x00'), atob('aGVsbG8='), atob(' aGVs bG8 '), atob('aGVsbG8')]",
  "btoa(123) + atob(btoa(null))",
  "atob('***')",
  "btoa('€')",
  "try { atob('a'); } catch (error) { return [error.name, error.code]; }",
];

test.each(rows)("agrees with the host: %s", (row) => expectWebAgreement(row));
