export { type HubAgent, type HubLoadOptions, load } from "./load.ts";
export { type HubCollection, loadCollection, loadTool, type LoadToolOptions } from "./load-tool.ts";
export { type HubContents, type HubFormat, look, type PathOption, renderContents } from "./contents.ts";
export { push, type Pushed, type PushedAgent, type PushOptions } from "./push.ts";
export type { HubRefusal } from "./hub-refusal.ts";
export type { HubAccess } from "./hub-fetch.ts";
export type { SnapshotFile, SnapshotOptions } from "./snapshot.ts";
export type { McpServer, McpTools } from "./tiny-agent.ts";
