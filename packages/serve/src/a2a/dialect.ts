// Writes tasks in both versions of A2A: 1.0, and 0.3, which many clients still use. The method name
// of a request shows which version the client uses.

/** The state of a task. */
export type TaskState = "working" | "input-required" | "completed" | "failed" | "canceled";

/** A task, independent of the protocol version. */
export interface TaskView {
  readonly id: string;
  readonly contextId: string;
  readonly state: TaskState;
  /** The agent's message about the state. */
  readonly said?: string;
  readonly answer?: string;
  /** The time of the last change, in epoch ms. */
  readonly time: number;
}

/** A change of a task that is sent to a listening client. */
export type TaskUpdate =
  | { readonly type: "task"; readonly task: TaskView }
  | { readonly type: "status"; readonly task: TaskView; readonly isLast: boolean }
  | { readonly type: "answer"; readonly task: TaskView; readonly answer: string };

/** Writes results in one version of the protocol. */
export interface Dialect {
  /** Writes the result of a request for one task. */
  task(task: TaskView): object;
  /** Writes the result of a message. */
  sent(task: TaskView): object;
  update(update: TaskUpdate): object;
}

const textPart = {
  current: (text: string) => ({ text }),
  earlier: (text: string) => ({ kind: "text", text }),
} as const;

const current: Dialect = {
  task: ({ answer, ...task }) => ({
    ...idsOf(task),
    status: currentStatus(task),
    ...(answer === undefined ? {} : { artifacts: [artifact(task.id, textPart.current(answer))] }),
  }),
  sent: (task) => ({ task: current.task(task) }),
  update(update) {
    const at = { taskId: update.task.id, contextId: update.task.contextId };
    switch (update.type) {
      case "task":
        return { task: current.task(update.task) };
      case "status":
        return { statusUpdate: { ...at, status: currentStatus(update.task) } };
      case "answer":
        return {
          artifactUpdate: { ...at, artifact: artifact(at.taskId, textPart.current(update.answer)), lastChunk: true },
        };
      default:
        return update satisfies never;
    }
  },
};

const earlier: Dialect = {
  task: ({ answer, ...task }) => ({
    kind: "task",
    ...idsOf(task),
    status: earlierStatus(task),
    ...(answer === undefined ? {} : { artifacts: [artifact(task.id, textPart.earlier(answer))] }),
  }),
  sent: (task) => earlier.task(task),
  update(update) {
    const at = { taskId: update.task.id, contextId: update.task.contextId };
    switch (update.type) {
      case "task":
        return earlier.task(update.task);
      case "status":
        return { kind: "status-update", ...at, status: earlierStatus(update.task), final: update.isLast };
      case "answer":
        return {
          kind: "artifact-update",
          ...at,
          artifact: artifact(at.taskId, textPart.earlier(update.answer)),
          lastChunk: true,
        };
      default:
        return update satisfies never;
    }
  },
};

/** The request type and the protocol version of each JSON-RPC method. */
export const methods: ReadonlyMap<
  string,
  { readonly does: "send" | "stream" | "get" | "cancel"; readonly dialect: Dialect }
> = new Map([
  ["SendMessage", { does: "send", dialect: current }],
  ["SendStreamingMessage", { does: "stream", dialect: current }],
  ["GetTask", { does: "get", dialect: current }],
  ["CancelTask", { does: "cancel", dialect: current }],
  ["message/send", { does: "send", dialect: earlier }],
  ["message/stream", { does: "stream", dialect: earlier }],
  ["tasks/get", { does: "get", dialect: earlier }],
  ["tasks/cancel", { does: "cancel", dialect: earlier }],
]);

const idsOf = ({ id, contextId }: Pick<TaskView, "id" | "contextId">): object => ({ id, contextId });

const artifact = (id: string, part: object): object => ({ artifactId: `${id}-answer`, name: "answer", parts: [part] });

const currentStates: Readonly<Record<TaskState, string>> = {
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
};

function currentStatus({ id, contextId, state, said, time }: Omit<TaskView, "answer">): object {
  const message = { messageId: crypto.randomUUID(), taskId: id, contextId, role: "ROLE_AGENT" };
  return {
    state: currentStates[state],
    timestamp: new Date(time).toISOString(),
    ...(said === undefined ? {} : { message: { ...message, parts: [textPart.current(said)] } }),
  };
}

function earlierStatus({ id, contextId, state, said, time }: Omit<TaskView, "answer">): object {
  const message = { kind: "message", messageId: crypto.randomUUID(), taskId: id, contextId, role: "agent" };
  return {
    state,
    timestamp: new Date(time).toISOString(),
    ...(said === undefined ? {} : { message: { ...message, parts: [textPart.earlier(said)] } }),
  };
}
