// Prepares the agent for each request: the served agent with the client's tools, instructions and
// answer schema.

import { invalidOption, type JsonSchema, type RunStore, type Tool } from "@smolts/protocol";
import { jsonSchema } from "@smolts/tools";
import { asRequest } from "../refused-request.ts";
import { type AnswerSchema, isAgent, type Servable, type ServedAgent } from "../served-agent.ts";
import { type ClientResults, callCheck, toTools } from "./client-tools.ts";
import type { RunShape } from "./run-note.ts";

/** The maximum number of changed copies of one agent that are kept. */
const maxShapes = 32;
/** The maximum length of the key of a kept copy. The key is the JSON of the changes. */
const maxShapeLength = 20_000;

/**
 * The store of the server's runs. `isOwnStore` is true if the server created it because no store
 * was passed.
 */
interface ServerStore {
  readonly store: RunStore;
  readonly isOwnStore: boolean;
}

/** Returns the agents that requests ask for. */
export class ShapedAgents {
  readonly #served: Servable;
  readonly #server: ServerStore;
  /**
   * Changed copies of each agent, keyed by the changes that requests ask for. The copies are kept
   * because preparing an agent takes longer than starting a run.
   */
  readonly #shaped = new WeakMap<ServedAgent, Map<string, ServedAgent>>();

  constructor(served: Servable, server: ServerStore) {
    this.#served = served;
    this.#server = server;
  }

  /** Returns the agent of a client with the changes that its request asks for. */
  async for(client: string, shape: RunShape, results: ClientResults): Promise<ServedAgent> {
    const agent = await this.#madeFor(client);
    // Do not keep this agent for other requests: the client's tools return the results that are in
    // this request.
    if (shape.tools.length > 0) return this.#withShape(agent, shape, results);
    const known = this.#shaped.get(agent) ?? new Map<string, ServedAgent>();
    this.#shaped.set(agent, known);
    const key = JSON.stringify([shape.instructions, shape.answer]);
    const shaped = known.get(key) ?? this.#withShape(agent, shape, results);
    if (key.length > maxShapeLength) return shaped;
    known.delete(key);
    known.set(key, shaped);
    const [leastRecent] = known.keys();
    if (known.size > maxShapes && leastRecent !== undefined) known.delete(leastRecent);
    return shaped;
  }

  async #madeFor(client: string): Promise<ServedAgent> {
    if (isAgent(this.#served)) return this.#served;
    const made: unknown = await this.#served({ client });
    if (!isAgent(made)) {
      throw invalidOption("the served function did not return an agent", "return a CodeAgent or a ToolCallingAgent");
    }
    // The server looks for runs in one store only, so an agent must not use its own store.
    if (made.options.store && this.#server.isOwnStore) {
      throw invalidOption(
        "the served function returned an agent with its own store",
        "pass the store to the server: serve(makeAgent, { store })",
      );
    }
    return made;
  }

  #withShape(agent: ServedAgent, shape: RunShape, results: ClientResults): ServedAgent {
    const { tools = [], instructions, finalAnswerChecks = [] } = agent.options;
    const own: { readonly [name: string]: Tool } = Array.isArray(tools)
      ? Object.fromEntries((tools as readonly Tool[]).map((tool) => [tool.name, tool]))
      : (tools as { readonly [name: string]: Tool }); // safe cast: otherwise `tools` is an object
    const clientTools = toTools(shape.tools, agent.tools, results);
    const all = [instructions, shape.instructions].filter((text) => text !== undefined && text !== "").join("\n\n");
    return asRequest(
      () =>
        agent.with({
          ...(Object.keys(clientTools).length === 0 ? {} : { tools: { ...own, ...clientTools } }),
          ...(all === "" ? {} : { instructions: all }),
          ...(shape.answer === undefined ? {} : { output: answerSchema(shape.answer) }),
          ...(shape.mustCall && { finalAnswerChecks: [...finalAnswerChecks, callCheck(shape.mustCall)] }),
          store: this.#server.store,
        }) as ServedAgent, // safe cast: `with` returns an agent of the same kind
    );
  }
}

function answerSchema(schema: JsonSchema): AnswerSchema {
  // The cast is safe: `jsonSchema` returns a schema with a validator, which agents accept.
  return jsonSchema(schema) as AnswerSchema;
}
