// Chooses the model of a demo: a real model if one is configured, otherwise a scripted model whose
// replies are in the demo's own file.
//
// The scripted model is a server on loopback that speaks a provider's protocol. So everything
// except the model's thinking is real.

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type ServerReply, type ServerReplyFunction, startModelServer } from "@smolts/testing/server";
import { AgentError, type Model, resolveModel } from "smolts";

/** The replies of a scripted model, one for each request. */
export type Script = readonly (ServerReply | ServerReplyFunction)[];

/** A model, with a note about it and a function that closes it. */
export interface DemoModel extends AsyncDisposable {
  readonly model: Model;
  /** A sentence that names the model. */
  readonly introduction: string;
}

/** Opens the model with the given name. Without a name, opens a model that plays the script. */
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
 * Runs a demo if its file was started directly, and does nothing if the file was only imported.
 *
 * The model is named by `--model preset:id`, or else by the environment variable `SMOLTS_MODEL`.
 * The process exits with 0 if the demo found its answer, otherwise with 1.
 */
export async function runDemo(
  fileUrl: string,
  script: Script,
  demo: (model: Model) => Promise<unknown>,
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(fileUrl)) return;
  try {
    // Some people separate a script's own flags with "--", and some package managers pass that "--"
    // to the script.
    const args = process.argv.slice(2).filter((argument) => argument !== "--");
    const { values } = parseArgs({ args, options: { model: { type: "string" } } });
    await using opened = await openDemoModel(script, values.model ?? process.env["SMOLTS_MODEL"]);
    console.error(opened.introduction);
    const answer = await demo(opened.model);
    // In a terminal, the trace ends with the answer. If standard output is a pipe, the trace went
    // to standard error, so the answer is printed here.
    if (!process.stdout.isTTY && typeof answer === "string") console.log(answer);
  } catch (error) {
    // The message of an `AgentError` says enough. Other errors are shown with their stack.
    console.error(AgentError.is(error) ? [error.message, error.hint].filter(Boolean).join("\n") : error);
    process.exitCode = 1;
  }
}
