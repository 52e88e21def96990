import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type GuardedFetchOptions, guardedFetch } from "@smolts/tools/guarded-fetch";
import { afterAll, beforeAll, expect, test } from "vitest";

const pem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
const names: (string | false | null | undefined)[] = [];
const server = createServer({ key: pem("server.key"), cert: pem("server.pem") }, (request, response) => {
  response.end(`${request.headers.host} over TLS`);
});
server.on("secureConnection", ({ servername }) => names.push(servername));
let options: GuardedFetchOptions = {};

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe: the server listens on a port.
  const { port } = server.address() as AddressInfo;
  options = {
    resolve: async () => ["93.184.216.34"],
    dial: () => ({ address: "127.0.0.1", port }),
    authorities: [pem("ca.pem")],
  };
});
afterAll(() => {
  server.close().closeAllConnections();
});

test("TLS connects to the checked address, with the requested name", async () => {
  const response = await guardedFetch("https://public.example/", options);
  expect(await response.text()).toBe("public.example over TLS");
  expect(names).toEqual(["public.example"]);
});

test("a certificate for another name is refused, even if the address is allowed", async () => {
  await expect(guardedFetch("https://other.example/", options)).rejects.toThrow("its certificate is another name's");
});

test("a certificate of an unknown authority is refused", async () => {
  const { authorities: _, ...platformOnly } = options;
  await expect(guardedFetch("https://public.example/", platformOnly)).rejects.toThrow("its certificate is not trusted");
});
