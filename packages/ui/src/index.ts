export { launchUI, type LaunchedUI, type LaunchOptions } from "./launch-ui.ts";
export { createUIHandler, type UIHandler } from "./create-ui-handler.ts";
export type { UIHandlerOptions, UIOptions } from "./ui-options.ts";
export { viewRun, type ViewedRun, type ViewOptions } from "./view-run.ts";
export { exportHtml, type ExportOptions } from "./export-html.ts";
export { memorySessions, type SessionLog, type SessionRecord, type SessionStore } from "./session-store.ts";
export type { Auth, Visitor } from "./server/access.ts";
export type {
  AgentFactory,
  ApproveHandler,
  Servable,
  ServedAgent,
  ServedForkOptions,
  ServedRun,
  ServedRunOptions,
  ServedSession,
  TaskPart,
} from "./agent-shape.ts";
export type { Example, UploadRules } from "./wire.ts";

/** @internal */
export { AgentUI, defineAgentUI, fileSessions, GradioUI, launchUi } from "./other-names.ts";
