import { useEffect, useState } from "preact/hooks";

/** Returns the current time in ms, updated ten times per second while `isRunning` is true. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
