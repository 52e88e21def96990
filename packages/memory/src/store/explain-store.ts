import {
  explainMembers,
  type ListRunsOptions,
  type OpenLogOptions,
  type OptionTable,
  type RunStore,
  readOptions,
} from "@smolts/protocol";

/**
 * Makes a store check the options of `list` and `open`, and throw an error for the methods of other
 * frameworks' stores.
 */
export function explainStore(store: RunStore): RunStore {
  const checked: RunStore = {
    ...store,
    open: async (sessionId, options = {}) => store.open(sessionId, readOptions(options, "store.open()", openOptions)),
    list: async (options = {}) => store.list(readOptions(options, "store.list()", listOptions)),
  };
  return explainMembers(checked, "a store", {
    methods: [
      ["get load read getRun getTuple getMessages", "write await store.open(sessionId, { readonly: true })"],
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
