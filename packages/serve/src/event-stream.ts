// A response of server-sent events. Events are produced only as fast as the client reads them.
// While there are no events, comments keep the connection open. If a client reads nothing for too
// long, it is disconnected.

/** The settings of an event stream. */
export interface EventStreamOptions {
  /** The texts of the events, in the format of server-sent events. */
  readonly frames: AsyncIterator<string>;
  /** Called once, if the client disconnects before the end. */
  readonly onDisconnect: (why: string) => void;
  /** How long a client may read nothing before it is disconnected, in ms. */
  readonly stalledMs: number;
}

/** The time between two comments on a silent connection, in ms. */
const keepAliveMs = 15_000;

/** Creates a response of server-sent events. */
export function eventStreamResponse(
  options: EventStreamOptions,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(eventStream(options), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      ...headers,
    },
  });
}

function eventStream({ frames, onDisconnect, stalledMs }: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string>> | null = null;
  let stalled: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const disconnect = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stalled);
    onDisconnect(why);
    // Do not wait for the cleanup: the client has disconnected.
    frames.return?.().catch(() => {});
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        pending ??= frames.next();
        const next = await orKeepAlive(pending);
        if (isOver) return;
        if (next !== "alive") pending = null;
        if (next !== "alive" && next.done) {
          isOver = true;
          controller.close();
          return;
        }
        // Each read by the client restarts the timer, so the timer fires only if the client reads
        // nothing.
        stalled = setTimeout(() => {
          disconnect("the client read nothing for too long");
          controller.error(new Error("the client read nothing for too long"));
        }, stalledMs);
        controller.enqueue(encoder.encode(next === "alive" ? ": alive\n\n" : next.value));
      },
      cancel: () => disconnect("the client disconnected"),
    },
    { highWaterMark: 1 },
  );
}

async function orKeepAlive<Value>(promise: Promise<Value>): Promise<Value | "alive"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = new Promise<"alive">((resolve) => {
    timer = setTimeout(() => resolve("alive"), keepAliveMs);
  });
  try {
    return await Promise.race([promise, alive]);
  } finally {
    clearTimeout(timer);
  }
}
