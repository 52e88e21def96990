import type { RunStore, StoredLog } from "@smolts/protocol";

/**
 * Opens a log of the store for reading; returns null if there is no such log.
 *
 * @throws the store's error, if the store fails or the log is damaged
 */
export async function openToRead(store: RunStore, id: string): Promise<StoredLog | null> {
  try {
    return await store.open(id, { readonly: true });
  } catch (error) {
    // The server gives each log the id of its run. If the store finds no run with this id, there is
    // no such log.
    if ((await store.find(id)) === null) return null;
    throw error;
  }
}
