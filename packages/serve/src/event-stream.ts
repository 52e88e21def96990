// Server-sent events for one reader, pulled by it: what it does not take is not made. A silent
// connection is kept open by comments, and a reader that takes nothing for too long is given up.

/** The parts of a stream. */
export interface EventStreamOptions {
  /** The events, as they stand on the wire. */
  readonly frames: AsyncIterator<string>;
  /** Called once, when the reader is gone before the end. */
  readonly onGone: (why: string) => void;
  /** How long a reader may take nothing, in ms. */
  readonly stalledMs: number;
}

/** How often a silent connection is shown to be alive. */
const keepAliveMs = 15_000;

/** A response of server-sent events. */
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

function eventStream({ frames, onGone, stalledMs }: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string>> | null = null;
  let stalled: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const give = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stalled);
    onGone(why);
    // Nobody waits for the end of a reader that has gone.
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
        // Set again with each piece, so it runs only while the reader takes none.
        stalled = setTimeout(() => {
          give("the reader took nothing for too long");
          controller.error(new Error("the reader took nothing for too long"));
        }, stalledMs);
        controller.enqueue(encoder.encode(next === "alive" ? ": alive\n\n" : next.value));
      },
      cancel: () => give("the reader went away"),
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
