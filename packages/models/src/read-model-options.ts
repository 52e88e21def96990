import { invalidOption, isRecord, type OptionTable, readOptions } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Provider } from "./provider.ts";

/** The arguments of a function that creates a model, and the type of each of its options. */
interface ModelArguments<Options> {
  readonly modelId: string;
  readonly options: Options;
  readonly table: OptionTable<NoInfer<Options>>;
}

/**
 * Checks the arguments of a function that creates a model. Returns its options. If an option has
 * the name that another framework uses, it is returned under our name.
 *
 * @param provider - the name of the provider, which is also the name of the function
 * @throws AgentError `invalid-option` if there is no model id, an unknown option, or a `baseUrl`
 *   that is undefined
 */
export function readModelOptions<Options extends Pick<AdapterOptions, never>>(
  { name, exampleModel = "model-id", baseUrl }: Pick<Provider, "name" | "exampleModel" | "baseUrl">,
  { modelId, options, table }: ModelArguments<Options>,
): Options {
  checkModelId(modelId, name, exampleModel);
  const read = readOptions<Options>(options, `${name}()`, table);
  // An undefined address usually comes from an environment variable that is not set. In that case,
  // requests must not go to the default server.
  if (Object.hasOwn(read, "baseUrl") && (read as AdapterOptions).baseUrl === undefined) {
    throw invalidOption(
      `${name}() got baseUrl undefined; expected an address`,
      `set the value that it comes from, or leave baseUrl out${baseUrl === undefined ? "" : ` to ask ${baseUrl}`}`,
    );
  }
  return read;
}

function checkModelId(modelId: unknown, name: string, exampleModel: string): void {
  if (typeof modelId === "string" && modelId.trim() !== "") return;
  const found = modelId === undefined ? "no model id" : `${kindOf(modelId)} as its model id`;
  const isOptions = isRecord(modelId);
  throw invalidOption(
    `${name}() got ${found}; expected a string`,
    `write ${name}("${exampleModel}"${isOptions ? ", { ... }" : ""})`,
  );
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return "a blank text";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : `a ${typeof value}`;
}
