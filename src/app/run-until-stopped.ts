type Stop = () => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const STOP_TIMEOUT_MS = 20_000;
/** npm forwards a Ctrl-C that has already reached us: the same signal, not a second one. */
const REPEATED_SIGNAL_MS = 1_000;

/**
 * Runs until a signal arrives, then stops cleanly, even when the signal arrived during the start. A second signal, or a
 * stop that takes too long, ends the process at once.
 */
export async function runUntilStopped(start: () => Promise<Stop>): Promise<void> {
  let resolveSignal = () => {};
  const signal = new Promise<void>((resolve) => {
    resolveSignal = resolve;
  });
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    firstAt = performance.now();
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    resolveSignal();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    const stop = await start();
    await signal;
    await stop();
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
  }
}
