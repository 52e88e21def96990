import { describe, expect, test } from "vitest";
import { fromBase64, toBase64 } from "../../src/index.ts";

describe("base64", () => {
  test("bytes of every value and length are encoded like Node does, and can be decoded", () => {
    for (let length = 0; length < 600; length++) {
      const bytes = Uint8Array.from({ length }, (_value, index) => (index * 7 + length) % 256);
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(fromBase64(text)).toEqual(bytes);
    }
  });
});
