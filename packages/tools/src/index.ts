export { tool, type ToolOptions } from "./tool.ts";
export { toolCollection, type ToolCollection } from "./tool-collection.ts";
export { jsonSchema, type ReadJsonSchema } from "./json-schema.ts";
export type {
  GivenInputOf,
  InputForm,
  InputOf,
  NoInput,
  ObjectJsonSchema,
  OutputForm,
  OutputOf,
} from "./input-form.ts";
export type { ReadShortForm, ReadShortType, ShortForm, ShortType, ShortWords } from "./short-form.ts";
export type { SchemaIssue, SchemaResult, StandardJsonSchema } from "./standard-schema.ts";
