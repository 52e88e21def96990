// Writes a session's messages as server-sent events. Messages are produced only as fast as the
// client reads them.

import type { ServerMessage } from "../wire.ts";

/**
 * The time between two comments on a silent connection, in ms. The comments keep the connection
 * open.
 */
const heartbeatMs = 15_000;

/**
 * Returns the body of an event stream. `close` is called once, when the client has disconnected or
 * the messages have ended.
 */
export function eventStream(
  epoch: string,
  messages: AsyncIterator<ServerMessage & { readonly seq: number }>,
  close: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<ServerMessage & { readonly seq: number }>> | null = null;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pending ??= messages.next();
        const next = await orHeartbeat(pending);
        if (next === "heartbeat") {
          controller.enqueue(encoder.encode(":\n\n"));
          return;
        }
        pending = null;
        if (next.done) {
          close();
          controller.close();
          return;
        }
        const { seq, ...message } = next.value;
        controller.enqueue(encoder.encode(`id: ${epoch}.${seq}\ndata: ${JSON.stringify(message)}\n\n`));
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  );
}

async function orHeartbeat<T>(promise: Promise<T>): Promise<T | "heartbeat"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const beat = new Promise<"heartbeat">((resolve) => {
    timer = setTimeout(() => resolve("heartbeat"), heartbeatMs);
  });
  try {
    return await Promise.race([promise, beat]);
  } finally {
    clearTimeout(timer);
  }
}
