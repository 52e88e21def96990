// Chooses the model of a demo: a real one if one is configured, else one whose answers are in the
// demo's own file.
//
// The scripted one is not a shortcut: it is a server on loopback that speaks the providers' wire,
// so that all but the thinking is real.

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type ServerReply, type ServerReplyFunction, startModelServer } from "@smolts/testing/server";
import { AgentError, type Model, resolveModel } from "smolts";

/** The answers of a scripted model, one for each time it is asked. */
export type Script = readonly (ServerReply | ServerReplyFunction)[];

/** A model, with a note about it and a function that closes it. */
export interface DemoModel extends AsyncDisposable {
  readonly model: Model;
  /** Says in a sentence which model it is. */
  readonly introduction: string;
}

/** The model of that name, or without a name one that plays the script. */
export async function openDemoModel(script: Script, modelName?: string): Promise<DemoModel> {
  if (modelName) {
    return {
      model: resolveModel(modelName),
      introduction: `The model is ${modelName}.`,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const server = await startModelServer(script);
  return {
    model: resolveModel("openai:scripted", { baseUrl: server.url }),
    introduction: `No model is configured: a scripted one answers at ${server.url}. For a real one set SMOLTS_MODEL or give --model, as in --model openai:gpt-5-mini.`,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/**
 * Runs a demo when its file is what was started, and nothing when it was only imported.
 *
 * The model comes from `--model preset:id`, else from the variable `SMOLTS_MODEL`. The process ends
 * with 0 when the demo found its answer, else with 1.
 */
export async function runDemo(
  fileUrl: string,
  script: Script,
  demo: (model: Model) => Promise<unknown>,
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(fileUrl)) return;
  try {
    // Package managers hand on the "--" with which some people set off a script's own flags.
    const args = process.argv.slice(2).filter((argument) => argument !== "--");
    const { values } = parseArgs({ args, options: { model: { type: "string" } } });
    await using opened = await openDemoModel(script, values.model ?? process.env["SMOLTS_MODEL"]);
    console.error(opened.introduction);
    const answer = await demo(opened.model);
    // A terminal has shown the answer at the end of the trace. A pipe has seen nothing yet: the
    // trace goes to standard error.
    if (!process.stdout.isTTY && typeof answer === "string") console.log(answer);
  } catch (error) {
    // What our own errors say is enough; a stack is for the others.
    console.error(AgentError.is(error) ? [error.message, error.hint].filter(Boolean).join("\n") : error);
    process.exitCode = 1;
  }
}
