/**
 * Makes a function that runs `setup` when it is first called and never again once that has succeeded. Calls that come meanwhile share the one
 * attempt; after a failure the next call makes another, for what failed may have been the network.
 */
export function setUpOnce(setup: () => unknown): () => Promise<void> {
  let attempt: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    attempt = undefined;
    throw error;
  };
  return () => {
    // Begun a turn later, so that no failure can come before the attempt is known.
    attempt ??= Promise.resolve()
      .then(setup)
      .then(() => {}, forget);
    return attempt;
  };
}
