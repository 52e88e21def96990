import {
  AgentError,
  invalidOption,
  type JsonValue,
  nearestName,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolContext,
  type ToolEffects,
  thrownText,
} from "@smolts/protocol";
import type { InputForm } from "../input/input-form.ts";
import { tool } from "../tool.ts";
import { fromSpaceData, type SpaceEndpoint, spaceInputSchema, spaceOutputSchema, toSpaceData } from "./space-values.ts";

/** Options of {@link fromSpace}. */
export interface FromSpaceOptions {
  /** The name of the tool. Must be a JavaScript identifier. */
  readonly name: string;
  /**
   * Tells the model what the tool does. It is required, because a Space says too little about
   * itself.
   */
  readonly description: string;
  /**
   * The endpoint of the Space, such as `"/predict"`.
   *
   * @defaultValue the only endpoint, if the Space has just one
   */
  readonly endpoint?: string;
  /** The effects of a call. @defaultValue "once", and each call needs approval */
  readonly effects?: ToolEffects;
  /** A Hugging Face token, for private Spaces and for a higher compute quota. */
  readonly token?: string;
  /**
   * The time limit of one call, including the wait in the Space's queue, in ms.
   *
   * @defaultValue 300_000
   */
  readonly timeoutMs?: number;
  /** The size limit of one file, in either direction, in bytes. @defaultValue 25_000_000 */
  readonly maxBytes?: number;
}

/**
 * Creates a tool from a Hugging Face Space, or from any other Gradio app.
 *
 * A file argument is a media part, a public address or a `data:` URL, and is sent as bytes. Images,
 * sounds and files are returned as media parts. The function needs the package `@gradio/client`.
 * Each call opens its own connection.
 *
 * @param space - the name of a Space, such as `"black-forest-labs/FLUX.1-schnell"`, or the address
 *   of an app
 * @throws AgentError `invalid-option` if the Space has no such endpoint (the error lists its
 *   endpoints); `tool-execution` if the Space cannot be reached
 * @example
 * ```ts
 * import { fromSpace } from "@smolts/tools/from-space";
 *
 * export const drawImage = () =>
 *   fromSpace("black-forest-labs/FLUX.1-schnell", {
 *     name: "drawImage",
 *     description: "Draws a picture of what the prompt says.",
 *     endpoint: "/infer",
 *     effects: "idempotent",
 *   });
 * ```
 */
export async function fromSpace(space: string, options: FromSpaceOptions): Promise<Tool> {
  const settings = readOptions(options, "fromSpace()", fromSpaceOptions);
  const { name, description, effects, timeoutMs = 300_000 } = settings;
  const endpoint = await withClient(space, settings, async (client) => findEndpoint(await client.view_api(), settings));
  return tool({
    name,
    description,
    input: spaceInputSchema(endpoint) as InputForm, // the schema's type is "object"
    ...spaceOutputSchema(endpoint),
    effects: effects ?? "once",
    needsApproval: effects === undefined,
    timeoutMs,
    // The cast is safe: the input was validated as an object.
    execute: (input, context) =>
      withClient(space, settings, (client) =>
        callSpace(client, endpoint, input as SpaceInput, { context, ...settings }),
      ),
  });
}

const fromSpaceOptions: OptionTable<FromSpaceOptions> = {
  name: "required text",
  description: "required text",
  endpoint: "text",
  effects: ["none", "idempotent", "once"],
  token: "text",
  timeoutMs: "number",
  maxBytes: "number",
};

type SpaceInput = Readonly<Record<string, unknown>>;

/** The part of Gradio's client that this file uses. */
interface SpaceClient {
  readonly config: { readonly root?: string } | undefined;
  view_api(): Promise<{ readonly named_endpoints: Readonly<Record<string, Omit<SpaceEndpoint, "path">>> }>;
  submit(endpoint: string, data: Record<string, unknown>): AsyncIterable<SpaceEvent> & { cancel(): Promise<void> };
  close(): void;
}

/** A message about the progress of a call. */
interface SpaceEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly stage?: string;
  readonly message?: string;
  readonly position?: number;
  readonly eta?: number;
}

async function withClient<Result>(
  space: string,
  { token }: FromSpaceOptions,
  use: (client: SpaceClient) => Promise<Result>,
): Promise<Result> {
  const { Client } = await import("@gradio/client").catch((error: unknown) => {
    throw new AgentError("invalid-option", 'fromSpace() needs the package "@gradio/client"', {
      cause: error,
      hint: "install it: npm install @gradio/client",
    });
  });
  const client = await connect(Client, space, token);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

async function connect(
  Client: typeof import("@gradio/client").Client,
  space: string,
  token?: string,
): Promise<SpaceClient> {
  try {
    // The cast satisfies the library's type, which allows only tokens that begin with `hf_`. The
    // Hub refuses any other token.
    const given = token === undefined ? {} : { token: token as `hf_${string}` };
    const client = await Client.connect(space, { events: ["data", "status"], ...given });
    return client as unknown as SpaceClient; // the library's type has a hundred more members
  } catch (error) {
    const reason = thrownText(error);
    throw new AgentError("tool-execution", `the space "${space}" cannot be reached: ${reason}`, {
      cause: error,
      hint: "check whether it is running, and whether it needs a token",
    });
  }
}

function findEndpoint(
  { named_endpoints: endpoints }: Awaited<ReturnType<SpaceClient["view_api"]>>,
  { name, endpoint }: FromSpaceOptions,
): SpaceEndpoint {
  const paths = Object.keys(endpoints);
  const path = endpoint ?? (paths.length === 1 ? paths[0] : undefined);
  const found = path === undefined || !Object.hasOwn(endpoints, path) ? undefined : endpoints[path];
  if (found && path !== undefined) return { path, parameters: found.parameters, returns: found.returns };
  const nearest = path === undefined ? undefined : nearestName(path, paths);
  const what = path === undefined ? "needs an endpoint" : `has no endpoint "${path}"`;
  throw invalidOption(
    `the space of tool "${name}" ${what}`,
    nearest ? `did you mean "${nearest}"?` : `its endpoints are ${paths.join(", ")}`,
  );
}

interface SpaceCall {
  readonly context: ToolContext;
  readonly maxBytes?: number;
}

async function callSpace(
  client: SpaceClient,
  endpoint: SpaceEndpoint,
  input: SpaceInput,
  { context, maxBytes = 25_000_000 }: SpaceCall,
): Promise<unknown> {
  const data = await toSpaceData(endpoint, input, context, maxBytes);
  context.signal.throwIfAborted();
  const job = client.submit(endpoint.path, data);
  // Ignore an error of the Space, because the call has already ended.
  const cancel = (): void => void job.cancel().catch(() => {});
  context.signal.addEventListener("abort", cancel, { once: true });
  try {
    const answer = await lastData(job, context);
    return await fromSpaceData(endpoint, answer, { origin: originOf(client), signal: context.signal, maxBytes });
  } finally {
    context.signal.removeEventListener("abort", cancel);
  }
}

async function lastData(job: AsyncIterable<SpaceEvent>, { signal, emit }: ToolContext): Promise<readonly unknown[]> {
  let last: readonly unknown[] | undefined;
  for await (const event of job) {
    signal.throwIfAborted();
    if (event.type === "data" && Array.isArray(event.data)) last = event.data;
    if (event.type !== "status") continue;
    if (event.stage === "error")
      throw new AgentError("tool-execution", event.message || "the space failed without saying why");
    emit(progressOf(event));
    if (event.stage === "complete") break;
  }
  signal.throwIfAborted();
  if (last === undefined) throw new AgentError("tool-execution", "the space ended without an answer");
  return last;
}

const progressOf = ({ stage = "", position, eta }: SpaceEvent): JsonValue => ({
  stage,
  ...(position === undefined ? {} : { position }),
  ...(eta === undefined ? {} : { etaSeconds: eta }),
});

const originOf = ({ config }: SpaceClient): string | undefined =>
  config?.root !== undefined && URL.canParse(config.root) ? new URL(config.root).origin : undefined;
