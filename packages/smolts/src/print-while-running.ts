import type { PrintLevel } from "@smolts/cli/terminal";
import type { AgentRun, RunResult, Session } from "@smolts/core";
import type { RunEvent } from "@smolts/protocol";
import { withOverrides } from "./with-overrides.ts";

/** The same run, printed while it goes; its answer and result are there when all of it is printed. */
export function printWhileRunning<Output>(run: AgentRun<Output>, level: PrintLevel): AgentRun<Output> {
  if (level === "off") return run;
  const printed = print(run, level);
  const answer = (): Promise<Output> => printed.then(() => run);
  return withOverrides<AgentRun<Output>>(run, {
    get result(): Promise<RunResult<Output>> {
      return printed.then(() => run.result);
    },
    then: (onFulfilled, onRejected) => answer().then(onFulfilled, onRejected),
    catch: (onRejected) => answer().catch(onRejected),
    finally: (onFinally) => answer().finally(onFinally),
  });
}

/** The same session, each of its runs printed while it goes. */
export function printSession<Output>(session: Session<Output>, level: PrintLevel): Session<Output> {
  if (level === "off") return session;
  return withOverrides<Session<Output>>(session, {
    run: (task, options) => printWhileRunning(session.run(task, options), level),
    resume: (options) => printWhileRunning(session.resume(options), level),
  });
}

/** Never rejects: a terminal that went away is no reason to lose an answer. */
async function print(run: AgentRun, level: PrintLevel): Promise<void> {
  const events = readFromNow(run.events());
  try {
    const { printRun } = await import("@smolts/cli/terminal");
    await printRun({ events: () => events, then: run.then.bind(run) }, { level });
  } catch {
    // The run itself reports its errors.
  }
}

/** Asks for the first event at once, so that no passing event is missed while the renderer is loaded. */
function readFromNow(events: AsyncIterable<RunEvent>): AsyncIterable<RunEvent> {
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  let isFirst = true;
  const next = (): Promise<IteratorResult<RunEvent>> => {
    if (!isFirst) return iterator.next();
    isFirst = false;
    return first;
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
