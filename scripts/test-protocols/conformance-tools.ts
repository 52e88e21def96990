// Serves the tools that the server suite of `@modelcontextprotocol/conformance` calls by name, with
// `serveMcp`. Prints the address, and serves until it is killed.

import { serveMcp } from "@smolts/mcp";
import type { JsonValue } from "@smolts/protocol";
import { jsonSchema, tool } from "@smolts/tools";

const dot = {
  type: "image",
  source: {
    mediaType: "image/png",
    bytes: Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
      "base64",
    ),
  },
} as const;

const silence = {
  type: "audio",
  source: {
    mediaType: "audio/wav",
    bytes: Buffer.from("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=", "base64"),
  },
} as const;

const file = (name: string, mediaType: string, text: string) =>
  ({ type: "file", name, source: { mediaType, bytes: new TextEncoder().encode(text) } }) as const;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

const titled = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title }));

/** Creates a tool that asks the person for values. */
const asking = (name: string, properties: Readonly<Record<string, JsonValue>>) =>
  tool({
    name,
    description: "Asks the person for values.",
    execute: async (_input, context) => {
      const form = { message: "Please fill this in.", schema: { type: "object", properties } };
      const answer = await context.ask?.({ name, input: form, form });
      return JSON.stringify(answer?.type === "edit" ? answer.input : "declined");
    },
  });

const tools = [
  tool({
    name: "test_simple_text",
    description: "Returns a text.",
    execute: () => "This is a simple text response for testing.",
  }),
  tool({ name: "test_image_content", description: "Returns an image.", execute: () => dot }),
  tool({ name: "test_audio_content", description: "Returns a sound.", execute: () => silence }),
  tool({
    name: "test_embedded_resource",
    description: "Returns a resource.",
    execute: () => file("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  }),
  tool({
    name: "test_multiple_content_types",
    description: "Returns a text, an image and a resource.",
    execute: () => [
      { type: "text", text: "Multiple content types test:" },
      dot,
      file("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }),
  tool({
    name: "test_error_handling",
    description: "Fails.",
    execute: () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
  }),
  tool({
    name: "test_tool_with_progress",
    description: "Reports progress.",
    execute: async (_input, { emit }) => {
      for (const progress of [0, 50, 100]) {
        emit({ progress, total: 100 });
        await pause();
      }
      return "done";
    },
  }),
  tool({
    name: "test_elicitation",
    description: "Asks the person before it answers.",
    input: { message: "string" },
    needsApproval: true,
    execute: ({ message }) => `allowed: ${message}`,
  }),
  asking("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  asking("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  }),
  tool({
    name: "json_schema_2020_12_tool",
    description: "Takes a schema of 2020-12.",
    input: jsonSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    } as never),
    execute: () => "read",
  }),
  tool({
    name: "test_reconnection",
    description: "Takes a moment.",
    execute: async () => {
      await pause();
      return "done";
    },
  }),
];

const serving = await serveMcp(tools as never, { transport: "http", auth: "none" });
process.stdout.write(`${serving.url}\n`);
