import type { ToolContext } from "../tool.ts";
import { memberExplainer } from "./explain-members.ts";

/**
 * Makes the context of a tool throw an error when code uses another framework's name for a member.
 * The error says what to write instead.
 */
export const explainToolContext: <Context extends ToolContext>(context: Context) => Context =
  /* @__PURE__ */ memberExplainer("the context of a tool", {
    values: [
      ["abortSignal", "write context.signal"],
      ["toolCallId", "write context.callId"],
      ["writer log logger", "write context.emit(data)"],
      [
        "messages context runContext runtimeContext requestContext experimental_context state configurable usage mastra runtime store agent memory session toolCall",
        "write context.metadata, an option of runs",
      ],
    ],
  });
