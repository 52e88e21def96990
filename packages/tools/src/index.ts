export { tool, type ToolOptions } from "./tool.ts";
export { toolCollection, type ToolCollection } from "./tool-collection.ts";
export { jsonSchema, type ReadJsonSchema } from "./input/json-schema.ts";
export type {
  RawInputOf,
  InputForm,
  InputOf,
  NoInput,
  ObjectJsonSchema,
  OutputForm,
  OutputOf,
} from "./input/input-form.ts";
export type { ReadShortForm, ReadShortType, ShortForm, ShortType, ShortWords } from "./input/short-form.ts";
export type { SchemaIssue, SchemaResult, StandardJsonSchema } from "./input/standard-schema.ts";
