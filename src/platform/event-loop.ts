import type { Metrics } from './metrics.ts';

const LOOK_INTERVAL_MS = 20;

/**
 * The longest time that this process computed without letting anybody else have a turn, since it was last asked. Only
 * the time of the processor counts: a machine that is busy with other programs delays the event loop too, but that is
 * no fault of the code.
 */
export function registerEventLoopMetrics(metrics: Metrics): () => void {
  let longest = 0;
  let [at, computed] = [performance.now(), computedMs()];
  const timer = setInterval(() => {
    const [now, computedNow] = [performance.now(), computedMs()];
    // Without a stall this is what was computed between two looks, which is at most the interval.
    const stall = Math.min(now - at - LOOK_INTERVAL_MS, computedNow - computed);
    longest = Math.max(longest, stall);
    [at, computed] = [now, computedNow];
  }, LOOK_INTERVAL_MS).unref();
  metrics.watch(
    'cadastre_event_loop_stall_seconds',
    'The longest time since the last scrape that the process computed without a pause',
    () => {
      const seconds = longest / 1000;
      longest = 0;
      return seconds;
    },
  );
  return () => clearInterval(timer);
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
