// Tests that an answer does not depend on how its bytes are split on the way.

import { generate } from "@smolts/models";
import { AgentError, type ModelRequest } from "@smolts/protocol";
import { type CorpusStream, corpus } from "./corpus.ts";
import { createRandom } from "./random.ts";

/** The results for a series of splits. */
export interface SplitReport {
  readonly streams: number;
  readonly splits: number;
  /** A sentence for each split whose result differs from that of the whole stream. */
  readonly differences: readonly string[];
}

const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "go" }] }] };

/**
 * Splits each stream of the corpus in two at every byte, and all of them at random positions.
 *
 * @param stride - the distance between two positions; 1 for every byte
 * @param randomSplits - the number of further splits, each into two to eight pieces
 */
export async function runSplits(stride: number, randomSplits: number, seed = 1): Promise<SplitReport> {
  const random = createRandom(seed);
  const streams = await Promise.all(corpus().map(async (stream) => ({ stream, whole: await outcomeOf(stream, []) })));
  const differences: string[] = [];
  let splits = 0;
  const compare = async ({ stream, whole }: (typeof streams)[number], cuts: readonly number[]): Promise<void> => {
    splits++;
    if ((await outcomeOf(stream, cuts)) !== whole) differences.push(`${stream.name}, split at ${cuts.join(", ")}`);
  };
  for (const one of streams) {
    for (let at = 1; at < one.stream.bytes.length; at += stride) await compare(one, [at]);
  }
  for (let count = 0; count < randomSplits; count++) {
    const one = random.pick(streams);
    const cuts = Array.from({ length: 1 + random.below(7) }, () => random.below(one.stream.bytes.length));
    await compare(
      one,
      cuts.sort((left, right) => left - right),
    );
  }
  return { streams: streams.length, splits, differences };
}

/**
 * Returns a model's result for a stream that is split at these positions: its answer, or the kind
 * of error. Ids that are generated here are left out.
 */
async function outcomeOf({ bytes, mediaType, open }: CorpusStream, cuts: readonly number[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let begin = 0;
      for (const end of [...cuts, bytes.length]) {
        if (end > begin) controller.enqueue(bytes.subarray(begin, end));
        begin = end;
      }
      controller.close();
    },
  });
  const model = open(async () => new Response(body, { headers: { "content-type": mediaType } }));
  try {
    return JSON.stringify(await generate(model, request)).replace(/call_[0-9a-f-]{36}/g, "call");
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
