export { type HubAgent, type HubLoadOptions, load } from "./load.ts";
export { type HubCollection, loadCollection, loadTool, type LoadToolOptions } from "./load-tool.ts";
export { type HubContents, type HubFormat, inspectRepo, type PathOption, renderContents } from "./contents.ts";
export { push, type PushResult, type PushedAgent, type PushOptions } from "./push.ts";
export type { HubErrorDetails } from "./hub-error-details.ts";
export type { HubAccess } from "./hub-fetch.ts";
export type { SnapshotFile, SnapshotOptions } from "./snapshot.ts";
export type { McpServer, McpTools } from "./tiny-agent.ts";
/** @internal */
export { ToolCollection, fromHub, from_hub, load_tool, pushToHub, push_to_hub } from "./other-names.ts";
