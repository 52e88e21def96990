import { invalidOption, type Model, type OptionTable, readOptions } from "@smolts/protocol";
import { explainModel } from "../explain-model.ts";
import { checkModels } from "./check-models.ts";
import { tryInTurn } from "./try-in-turn.ts";

/** Options of {@link router}. */
export interface RouterOptions {
  /**
   * How the next model is chosen. `round-robin`: each model in turn. `least-busy`: the model with
   * the fewest open answers. `random`: any model. Default: `round-robin`.
   */
  readonly strategy?: "round-robin" | "least-busy" | "random";
  /**
   * How long a model that has failed is avoided, in ms. During this time it is asked only if all
   * others fail, too. Default: 30,000.
   */
  readonly cooldownMs?: number;
}

/**
 * Spreads calls over equivalent models, such as several deployments of one model. If the chosen
 * model fails before any part of its answer was shown, the others are asked.
 *
 * A model that has failed is avoided for some time: it is asked only if all others fail, too.
 *
 * @throws AgentError `invalid-option` for an empty list
 * @example
 * ```ts
 * import { openAICompatible, router } from "@smolts/models";
 *
 * const servers = ["http://127.0.0.1:8001/v1", "http://127.0.0.1:8002/v1"];
 * const model = router(servers.map((baseUrl) => openAICompatible("qwen", { baseUrl })), { strategy: "least-busy" });
 * console.log(model.id); // router(127.0.0.1:8001/qwen, 127.0.0.1:8002/qwen)
 * ```
 */
export function router(models: readonly Model[], options: RouterOptions = {}): Model {
  checkModels(models, "router");
  const { strategy = "round-robin", cooldownMs = 30_000 } = readOptions(options, "router()", routerOptions);
  if (!strategies.includes(strategy)) {
    const hint = `write one of ${strategies.map((name) => `"${name}"`).join(", ")}`;
    throw invalidOption(`router() has no strategy ${JSON.stringify(strategy)}`, hint);
  }
  const deployments = models.map((model) => ({ model, openAnswers: 0, avoidedUntil: 0 }));
  const find = (model: Model): Deployment | undefined => deployments.find((one) => one.model === model);
  let calls = 0;
  return explainModel({
    id: `router(${models.map(({ id }) => id).join(", ")})`,
    stream: (request, options) =>
      tryInTurn(inOrder(deployments, strategy, calls++), request, options, {
        onStart: (model) => count(find(model), 1),
        onEnd: (model) => count(find(model), -1),
        onFailure: (model) => avoid(find(model), cooldownMs),
      }),
  });
}

const routerOptions: OptionTable<RouterOptions> = { strategy: true, cooldownMs: "number" };

const strategies = ["round-robin", "least-busy", "random"];

interface Deployment {
  readonly model: Model;
  openAnswers: number;
  /** Until this time, in epoch ms, the model is asked only if all others fail. */
  avoidedUntil: number;
}

function count(deployment: Deployment | undefined, change: number): void {
  if (deployment) deployment.openAnswers += change;
}

function avoid(deployment: Deployment | undefined, cooldownMs: number): void {
  if (deployment) deployment.avoidedUntil = Date.now() + cooldownMs;
}

function inOrder(
  deployments: readonly Deployment[],
  strategy: NonNullable<RouterOptions["strategy"]>,
  call: number,
): readonly Model[] {
  const start = strategy === "random" ? Math.floor(Math.random() * deployments.length) : call % deployments.length;
  const turned = [...deployments.slice(start), ...deployments.slice(0, start)];
  if (strategy === "least-busy") turned.sort((one, other) => one.openAnswers - other.openAnswers);
  const now = Date.now();
  const isAvoided = ({ avoidedUntil }: Deployment): boolean => avoidedUntil > now;
  return [...turned.filter((one) => !isAvoided(one)), ...turned.filter(isAvoided)].map(({ model }) => model);
}
