/** Hands on what tasks come to in the order in which the tasks were given, whichever ends first. */
export type InOrder = <Result>(task: Promise<Result>) => Promise<Result>;

/** Makes an {@link InOrder} of its own line. */
export function inOrder(): InOrder {
  let earlier: Promise<void> = Promise.resolve();
  return (task) => {
    const settled = Promise.allSettled([earlier, task]);
    earlier = settled.then(() => {});
    return settled.then(() => task);
  };
}
