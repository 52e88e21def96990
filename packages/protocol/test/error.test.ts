import { inspect } from "node:util";
import { AgentError, textOf } from "@smolts/protocol";
import { expect, test } from "vitest";

test("an error is recognized by its brand, even if it is from another copy of the package", () => {
  const error = new AgentError("parsing", "no code");
  const foreign = Object.assign(new Error("no code"), { code: "parsing", [Symbol.for("@smolts/AgentError")]: true });
  expect([error, foreign, new Error("no code"), "no code", null].map((value) => AgentError.is(value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("an error can be serialized without its cause and stack, and restored", () => {
  const error = new AgentError("tool-input", "what", {
    cause: new Error("SECRET"),
    hint: "do this",
    details: { path: ["a"] },
    originalName: "TypeError",
  });
  const data = JSON.parse(JSON.stringify(error));
  expect(data).toEqual({
    code: "tool-input",
    name: "TypeError",
    message: "what",
    hint: "do this",
    details: { path: ["a"] },
  });
  expect(AgentError.from(data).toJSON()).toEqual(data);
  expect(new AgentError("log", "only this").toJSON()).toEqual({ code: "log", message: "only this" });
});

test("a printed error shows only the fields that it has", () => {
  const printed = inspect(new AgentError("log", "only this", { hint: "do this" }));
  expect(printed).toContain("code: 'log'");
  expect(printed).toContain("hint: 'do this'");
  expect(printed).not.toContain("undefined");
});

test("a cause is kept for the host", () => {
  const cause = new Error("below");
  expect(new AgentError("generation", "above", { cause }).cause).toBe(cause);
});

test("textOf joins the text parts of a message and leaves out the others", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "no" },
    { type: "text", text: "b" },
  ] as const;
  expect(textOf(content)).toBe("ab");
  expect(textOf({ role: "user", content })).toBe("ab");
});
