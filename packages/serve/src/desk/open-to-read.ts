import type { RunStore, StoredLog } from "@smolts/protocol";

/**
 * Opens a log of the store, only to read it; null when there is none.
 *
 * @throws whatever the store throws when it does not know: it may be down, or the log damaged
 */
export async function openToRead(store: RunStore, id: string): Promise<StoredLog | null> {
  try {
    return await store.open(id, { readonly: true });
  } catch (error) {
    // All events here have the id of their log as the id of their run.
    if ((await store.find(id)) === null) return null;
    throw error;
  }
}
