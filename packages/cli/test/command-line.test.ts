import { describe, expect, test, vi } from "vitest";
import { command } from "./smolts-command.ts";

const any = ["--model", "openai:any", "--base-url", "http://127.0.0.1:9/v1"];

describe("wrong usage exits with 2 and says what to do", () => {
  const mistakes: [what: string, argv: string[], said: RegExp][] = [
    ["no command", [], /Usage: smolts/],
    ["an unknown command", ["rum", "x"], /unknown command 'rum'.*Did you mean run\?/s],
    ["a misspelt flag", ["run", "x", "--modle", "y"], /unknown option '--modle'.*Did you mean --model\?/s],
    [
      "a flag that nobody knows",
      ["run", "x", "--bogus"],
      /unknown option '--bogus'\n {2}hint: smolts run --help lists/,
    ],
    ["a command that nobody knows", ["bogus"], /unknown command 'bogus'\n {2}hint: smolts --help lists/],
    ["a flag without its value", ["run", "x", "--model"], /'-m, --model <preset:id>' argument missing/],
    ["two tasks", ["run", "x", "y"], /too many arguments.*hint: put the task in quotes/s],
    ["a task without a command", ["What is 2 + 2?"], /hint: write smolts run "What is 2 \+ 2\?"/],
    ["a file without a command", ["agent.ts"], /hint: write smolts run "your task" --agent \.\/agent\.ts/],
    ["a file as the task", ["run", "./agent.ts", ...any], /the name of a file\n {2}hint: .* --agent \.\/agent\.ts/],
    ["another command's flag", ["run", "--prompt", "x"], /hint: the task comes first: smolts run/],
    ["a flag of the model", ["run", "x", "--temperature", "0"], /hint: write an agent in a file/],
    ["another command's name", ["chat"], /hint: write smolts run "your task", or smolts ui/],
    [
      "a provider beside a whole model",
      ["run", "x", "--model", "hf:Qwen/Qwen3-8B", "--provider", "together"],
      /--provider cannot be combined with --model.*hint: write --model hf:Qwen\/Qwen3-8B:together/s,
    ],
    ["no task on a terminal", ["run", ...any], /no task is given\n {2}hint: write smolts run/],
    ["an empty task", ["run", " ", ...any], /the task is empty/],
    [
      "no model",
      ["run", "x"],
      /no model is given.*SMOLTS_MODEL.*ollama:model-id\n.*openai:model-id {2}\(OPENAI_API_KEY\)/s,
    ],
    [
      "an unknown preset",
      ["run", "x", "--model", "opnai:gpt"],
      /"opnai:gpt".*hint: did you mean "openai:gpt"\? known presets: .*openai/s,
    ],
    [
      "a model of a server without a preset",
      ["run", "x", "--model", "my-model"],
      /any other server: --model vllm:model-id --base-url http/,
    ],
    ["help for an unknown command", ["help", "rnu"], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    ["a model without a preset", ["run", "x", "--model", "gpt-5"], /"gpt-5" is not of the form "preset:model-id"/],
    [
      "a base URL that is none",
      ["run", "x", "--model", "openai:a", "--base-url", "localhost"],
      /"localhost" is not an http\(s\) address/,
    ],
    [
      "an unknown kind of agent",
      ["run", "x", ...any, "--agent", "python"],
      /--agent is "python"; expected "code", "tool-calling" or a file/,
    ],
    ["no steps", ["run", "x", ...any, "--max-steps", "0"], /--max-steps is "0"; expected a whole number >= 1/],
    ["negative steps", ["run", "x", ...any, "--max-steps", "-1"], /--max-steps is "-1"/],
    ["half a step", ["run", "x", ...any, "--max-steps", "1.5"], /--max-steps is "1.5"/],
    ["steps in words", ["run", "x", ...any, "--max-steps", "three"], /--max-steps is "three"/],
    [
      "an unknown verbosity",
      ["run", "x", ...any, "--verbosity", "loud"],
      /--verbosity is "loud"; expected off, error, info or debug/,
    ],
    ["a missing image", ["run", "x", ...any, "--image", "none.png"], /none\.png" cannot be read/],
    ["plans in words", ["run", "x", ...any, "--plan-every", "often"], /--plan-every is "often"/],
    [
      "imports without code",
      ["run", "x", ...any, "--imports", "lodash-es", "--agent", "tool-calling"],
      /--imports is for agents that write code/,
    ],
    [
      "a module that is not installed",
      ["run", "x", ...any, "--imports", "no-such-package.*"],
      /no package "no-such-package" is installed here.*npm install no-such-package/s,
    ],
    ["a module of Node", ["run", "x", ...any, "--imports", "node:fs"], /the sandbox has no modules of Node/],
    ["every module", ["run", "x", ...any, "--imports", "*"], /"\*", which does not name a module/],
    [
      "a module's file without its dot",
      ["run", "x", ...any, "--imports", "stats.js"],
      /"stats.js", which is not a path.*write ".\/stats.js"/s,
    ],
    [
      "a module's file that is not there",
      ["run", "x", ...any, "--imports", "./none.js"],
      /there is no module ".*none\.js" that can be read \(ENOENT\)/,
    ],
    [
      "a module in another language",
      ["run", "x", ...any, "--imports", "./stats.py"],
      /".\/stats.py", which is not a module in JavaScript or TypeScript/,
    ],
    [
      "a tool that the toolbox has not",
      ["run", "x", ...any, "--tools", "webSerch"],
      /"webSerch", which is not a tool of the toolbox.*did you mean "webSearch"/s,
    ],
    [
      "a task after the tools",
      ["run", ...any, "--tools", "./weather-tools.ts", "What is it?"],
      /"What is it\?", which does not name a tool.*write the task first/s,
    ],
    [
      "a tool file without its dot",
      ["run", "x", ...any, "--tools", "weather-tools.ts"],
      /write ".\/weather-tools.ts" for a file/,
    ],
    [
      "a tool file that is not there",
      ["run", "x", ...any, "--tools", "./none.ts"],
      /there is no file ".*none\.ts" that can be read \(ENOENT\)/,
    ],
    [
      "a file without tools",
      ["run", "x", ...any, "--tools", "./no-tools.mjs"],
      /no export of ".\/no-tools.mjs" is a tool.*it exports getWeather \(function\), name \(string\)/s,
    ],
    [
      "an export that is not there",
      ["run", "x", ...any, "--tools", "./weather-tools.ts#getWether"],
      /has no export "getWether".*did you mean ".\/weather-tools.ts#getWeather"\?/s,
    ],
    [
      "an export that is not a tool",
      ["run", "x", ...any, "--tools", "./weather-tools.ts#answer"],
      /"answer" of ".\/weather-tools.ts" is not a tool.*"number"/s,
    ],
    [
      "a function that makes a tool",
      ["run", "x", ...any, "--tools", "./weather-tools.ts#makeTool"],
      /it is a function; export what it returns/,
    ],
    [
      "a file that throws",
      ["run", "x", ...any, "--tools", "./broken.ts"],
      /could not load ".\/broken.ts": TypeError: no weather today/,
    ],
    [
      "a file that imports a missing package",
      ["run", "x", ...any, "--tools", "./missing-package.mjs"],
      /could not load ".\/missing-package.mjs": .*hint: install it .*: npm install no-such-package\n/s,
    ],
    [
      "an agent's file that imports a missing file",
      ["run", "x", "--agent", "./missing-file.mjs"],
      /smolts: could not load ".\/missing-file.mjs": .*hint: check the path of the import/s,
    ],
    [
      "a package that is not there",
      ["run", "x", ...any, "--tools", "no-such-package#x"],
      /could not load "no-such-package#x"/,
    ],
    [
      "two tools of one name",
      ["run", "x", ...any, "--tools", "./weather-tools.ts#getWeather", "./more-weather.mjs"],
      /two tools have the name "getWeather"/,
    ],
    [
      "what an agent of the Hub has itself",
      ["run", "x", "--agent", "ada/gambler", "--tools", "webSearch"],
      /--tools and --agent ada\/gambler cannot be combined[\s\S]*with load\("ada\/gambler"\) of @smolts\/hub/,
    ],
    ["two models", ["run", "x", ...any, "--model-id", "y"], /--model-id cannot be combined with --model/],
    [
      "smolagents' local models",
      ["run", "x", "--model-type", "TransformersModel", "--model-id", "y"],
      /--model-type is "TransformersModel"; expected one of InferenceClientModel/,
    ],
    ["a control sequence", ["run", "x", ...any, "--\u001b[31mred"], /unknown option '--\\x1b\[31mred'/],
  ];

  test.each(mistakes)("%s", async (_what, argv, said) => {
    const { exitCode, output, errorOutput } = await command(argv);
    expect(errorOutput).toMatch(said);
    expect(output).toBe("");
    expect(exitCode).toBe(2);
  });
});

test("a missing key exits with 2 and names its variable", async () => {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  const { exitCode, errorOutput } = await command(["run", "x", "--model", "openai:gpt-5-mini"]);
  vi.unstubAllEnvs();
  expect(errorOutput).toMatch(/no key for "openai".*hint: set OPENAI_API_KEY, or pass --api-key\n/s);
  expect(exitCode).toBe(2);
});

test("--help explains the flags and the exit codes of this version only", async () => {
  const { exitCode, output } = await command(["run", "--help"]);
  expect(exitCode).toBe(0);
  expect(output).toContain("--model <preset:id>");
  expect(output).toContain("3    the steps were exhausted");
  expect(output).toContain("--store <place>");
  expect(output).not.toContain("--model-type");
});

test("--version prints only the version", async () => {
  expect((await command(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});
