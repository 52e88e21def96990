import { docker } from "@smolts/executor-docker";
import { executorContract } from "@smolts/testing";
import { describe, test } from "vitest";

const image = process.env["SMOLTS_TEST_NODE_IMAGE"];
describe.skipIf(!image)("Docker with Node keeps the promises of an executor (runs by scripts/test-docker.sh)", () => {
  const executor = docker({ image: image ?? "" });
  for (const { title, run } of executorContract(executor)) test(title, run);
});
