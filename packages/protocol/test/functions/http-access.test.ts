import { bearerKeyOf, hostOf, isLoopback, isSameSecret } from "@smolts/protocol";
import { expect, test } from "vitest";

const requestWith = (headers: Record<string, string>) => new Request("http://[::1]:8080/", { headers });

test.each([
  ["localhost", true],
  ["LocalHost", true],
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["[::1]", true],
  ["localhost.example.org", false],
  ["127.0.0.1.example.org", false],
  ["1127.0.0.1", false],
  ["127.0.0", false],
  ["0.0.0.0", false],
  ["::", false],
  ["", false],
])("%j is a name for this machine: %s", (host, isOwn) => {
  expect(isLoopback(host)).toBe(isOwn);
});

test("the server's name is from the Host header, or else from the address, without the port", () => {
  const named = { url: "http://a.example:80/", headers: new Headers({ host: "B.Example:8080" }) };
  expect(hostOf(named)).toBe("b.example");
  expect(hostOf(requestWith({}))).toBe("[::1]");
});

test.each([
  ["Bearer abc", "abc"],
  ["bearer  abc ", "abc"],
  ["Bearer a b", undefined],
  ["Bearer ", undefined],
  ["Basic abc", undefined],
  ["xBearer abc", undefined],
])("the authorization %j brings the key %s", (authorization, key) => {
  expect(bearerKeyOf(requestWith({ authorization }))).toBe(key);
  expect(bearerKeyOf(requestWith({}))).toBeUndefined();
});

test.each([
  ["", "key"],
  ["ke", "key"],
  ["keyy", "key"],
  ["Key", "key"],
  ["kez", "key"],
  ["k\0y", "key"],
])("%j is not the secret", (given, secret) => {
  expect(isSameSecret(given, secret)).toBe(false);
  expect(isSameSecret(secret, secret)).toBe(true);
});
