import { randomHex, sha256, toHex } from "@smolts/protocol";
import { expect, test } from "vitest";

test("a text has the hash of its bytes in UTF-8", async () => {
  expect(toHex(await sha256("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await sha256("é")).toEqual(await sha256(new Uint8Array([0xc3, 0xa9])));
});

test("bytes are written as two digits each", () => {
  expect(toHex(new Uint8Array([0, 10, 255]))).toBe("000aff");
  expect(randomHex()).toMatch(/^[0-9a-f]{32}$/);
});
