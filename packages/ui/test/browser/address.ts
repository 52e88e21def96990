// An address whose connections the tests can cut, and whose server they can replace.

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import type { LaunchedUI } from "@smolts/ui";

/** An address that forwards each connection to a server. */
export interface Address extends AsyncDisposable {
  /** Returns a URL of the server as a URL of this address. */
  of(url: string): string;
  /** Forwards new connections to this server. Those to the server before it are cut. */
  moveTo(ui: LaunchedUI): void;
  /** Cuts the connections that follow a run, and returns their number. */
  cutStreams(): number;
}

/**
 * Opens an address that forwards to a server. The address stays open when that server closes. So no
 * other program can take the port before the next server starts.
 */
export async function addressOf(first: LaunchedUI): Promise<Address> {
  let target = Number(new URL(first.url).port);
  const streams = new Set<Socket>();
  const sockets = new Set<Socket>();
  const cut = (connections: Set<Socket>): void => {
    for (const socket of connections) socket.destroy();
    connections.clear();
  };
  const server = createServer((browserSide) => {
    const serverSide = connect(target, "127.0.0.1");
    for (const socket of [browserSide, serverSide]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {});
    }
    browserSide.on("data", (chunk) => {
      if (chunk.includes("/events")) streams.add(browserSide);
    });
    browserSide.on("close", () => {
      streams.delete(browserSide);
      serverSide.destroy();
    });
    serverSide.on("close", () => browserSide.destroy());
    browserSide.pipe(serverSide);
    serverSide.pipe(browserSide);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    of(url) {
      const own = new URL(url);
      own.port = String(port);
      return own.href;
    },
    moveTo(ui) {
      target = Number(new URL(ui.url).port);
      cut(sockets);
    },
    cutStreams() {
      const { size } = streams;
      cut(streams);
      return size;
    },
    async [Symbol.asyncDispose]() {
      cut(sockets);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
