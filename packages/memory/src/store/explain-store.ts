import {
  explainMembers,
  type ListRunsOptions,
  type OpenLogOptions,
  type OptionTable,
  type RunStore,
  readOptions,
  wrongArgument,
} from "@smolts/protocol";

const opening = "write await store.open(sessionId, { readonly: true })";

/**
 * Makes a store check the options of `list` and `open`, and throw an error for the methods of other
 * frameworks' stores.
 */
export function explainStore(store: RunStore): RunStore {
  const checked: RunStore = {
    ...store,
    open: async (sessionId, options = {}) => {
      if (typeof sessionId !== "string") throw wrongArgument("store.open()", sessionId, "the id of a session", opening);
      return store.open(sessionId, readOptions(options, "store.open()", openOptions));
    },
    list: async (options = {}) => store.list(readOptions(options, "store.list()", listOptions)),
  };
  return explainMembers(checked, "a store", {
    methods: [
      ["get load read getRun getTuple getMessages", opening],
      ["set put save add append addMessages", "write new CodeAgent({ model, store }): its runs are kept in the store"],
      ["listRuns getAll all keys entries search", "write await store.list()"],
      ["remove clear", "write await store.delete(sessionId)"],
    ],
  });
}

const openOptions: OptionTable<OpenLogOptions> = { readonly: "flag", signal: "signal" };

const listOptions: OptionTable<ListRunsOptions> = {
  status: ["success", "max-steps", "budget", "suspended", "aborted", "failed", "open"],
  limit: "number",
  after: "text",
};
