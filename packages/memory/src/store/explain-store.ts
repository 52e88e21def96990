import {
  explainMembers,
  explainPromise,
  invalidOption,
  type ListRunsOptions,
  type OpenLogOptions,
  type OptionTable,
  type RunStore,
  readOptions,
  wrongArgument,
} from "@smolts/protocol";

const opening = "write await store.open(sessionId, { readonly: true })";

/**
 * Returns a store that checks ids and the options of `list` and `open` before it calls `store`. The
 * returned store throws an error when code uses a method that only the stores of other frameworks
 * have.
 */
export function explainStore(store: RunStore): RunStore {
  const listed = async (options: ListRunsOptions): ReturnType<RunStore["list"]> =>
    store.list(checkedList(readOptions(options, "store.list()", listOptions)));
  const checked: RunStore = {
    ...store,
    open: async (sessionId, options = {}) =>
      store.open(checkedId("open", sessionId), readOptions(options, "store.open()", openOptions)),
    find: async (runId) => store.find(checkedId("find", runId)),
    list: (options = {}) => explainPromise(listed(options), "store.list()"),
    delete: async (sessionId) => store.delete(checkedId("delete", sessionId)),
    follow: (sessionId, from, options) => store.follow(checkedId("follow", sessionId), from, options),
    decide: async (runId, decision) => store.decide(checkedId("decide", runId), decision),
  };
  return explainMembers(checked, "a store", {
    methods: [
      ["get load read getRun loadRun getThread getTuple getMessages", opening],
      ["set put save add append addMessages", "write new CodeAgent({ model, store }): its runs are kept in the store"],
      ["listRuns listThreads listSessions getAll all keys entries search", "write await store.list()"],
      ["remove clear", "write await store.delete(sessionId)"],
    ],
  });
}

/** How to call each method that takes an id. */
const calls = {
  open: opening,
  find: "write await store.find(runId)",
  delete: "write await store.delete(sessionId)",
  follow: "write store.follow(sessionId, 1, { signal })",
  decide: "write await store.decide(runId, decision)",
};

/**
 * Checks an id. A lone surrogate would become another character in a file or a database, and a
 * database cannot store the character U+0000.
 */
function checkedId(method: keyof typeof calls, id: unknown): string {
  const what = method === "find" || method === "decide" ? "the id of a run" : "the id of a session";
  if (typeof id !== "string") throw wrongArgument(`store.${method}()`, id, what, calls[method]);
  if (id !== "" && !/\0|\p{Surrogate}/u.test(id)) return id;
  const expected = "a text that is not empty, without U+0000 and lone surrogates";
  throw invalidOption(`${what} is ${JSON.stringify(id)}; expected ${expected}`, calls[method]);
}

function checkedList(options: ListRunsOptions): ListRunsOptions {
  const { limit = 0 } = options;
  if (limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0)) return options;
  throw invalidOption(`limit is ${limit}; expected a whole number >= 0`, "write store.list({ limit: 100 })");
}

const openOptions: OptionTable<OpenLogOptions> = { readonly: "flag", signal: "signal" };

const listOptions: OptionTable<ListRunsOptions> = {
  status: ["success", "max-steps", "budget", "suspended", "aborted", "failed", "open"],
  limit: "number",
  after: "text",
};
