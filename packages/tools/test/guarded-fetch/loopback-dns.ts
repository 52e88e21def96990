// A DNS server on loopback. It answers A and AAAA queries with the addresses that the test chooses,
// over real packets.

import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import type { ResolveName } from "@smolts/tools/guarded-fetch";

/** Returns the addresses of a name. It is called for each query. */
export type AnswerName = (name: string) => readonly string[];

/** A running DNS server, and a resolver that uses only this server. */
export interface LoopbackDns extends AsyncDisposable {
  readonly resolve: ResolveName;
}

export async function startLoopbackDns(answerName: AnswerName): Promise<LoopbackDns> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => socket.send(answerQuery(query, answerName), from.port, from.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new Resolver({ timeout: 60_000, tries: 100 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: async (hostname) => {
      const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return families.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
    },
    [Symbol.asyncDispose]: async () => {
      socket.close();
    },
  };
}

const typeA = 1;
const typeAaaa = 28;

function answerQuery(query: Buffer, answerName: AnswerName): Buffer {
  const { name, end } = readName(query, 12);
  const type = query.readUInt16BE(end);
  const question = query.subarray(12, end + 4);
  const records = answerName(name)
    .filter((address) => (address.includes(":") ? typeAaaa : typeA) === type)
    .map((address) => record(type, addressBytes(address)));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function readName(packet: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

/**
 * Returns a DNS record with these fields: a pointer to the name in the question, the type, class
 * IN, a time to live of 0, and the address.
 */
function record(type: number, bytes: Buffer): Buffer {
  const start = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([start, bytes]);
}

/**
 * Returns the bytes of an address: four decimal numbers, or any form that a URL accepts between
 * brackets.
 */
function addressBytes(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  // The URL parser writes an embedded IPv4 address as two groups.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const last = tail === undefined ? [] : groups(tail);
  const first = groups(head);
  const middle = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return Buffer.from([...first, ...middle, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}
