type Stop = () => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const PATIENCE_MS = 20_000;

/**
 * Runs until a signal comes, then ends cleanly what was started, even when the signal came during the start.
 * A second signal, or a stop that takes too long, ends the process at once.
 */
export async function untilToldToStop(start: () => Promise<Stop>): Promise<void> {
  let told = () => {};
  const signal = new Promise<void>((resolve) => {
    told = resolve;
  });
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count > 1) process.exit(1);
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    told();
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
