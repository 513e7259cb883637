import { commandEnvironment } from '../platform/config/command-environment.ts';

type Stop = () => Promise<void>;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
export const STOP_TIMEOUT_MS = 20_000;
/** npm forwards a Ctrl-C that has already reached us: the same signal, not a second one. */
const REPEATED_SIGNAL_MS = 1_000;

/**
 * Runs until a signal arrives, then stops cleanly, even when the signal arrived during the start. A second signal, or a
 * stop that takes too long, ends the process at once.
 */
export async function runUntilStopped(
  start: () => Promise<Stop>,
  { shutdownDelayMs = 0 }: { readonly shutdownDelayMs?: number } = {},
): Promise<void> {
  const environment = commandEnvironment();
  let resolveSignal = () => {};
  const signal = new Promise<void>((resolve) => {
    resolveSignal = resolve;
  });
  let firstAt: number | undefined;
  let timeout: NodeJS.Timeout | undefined;
  const onSignal = () => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > REPEATED_SIGNAL_MS) environment.exit(1);
      return;
    }
    firstAt = performance.now();
    timeout = setTimeout(() => environment.exit(1), shutdownDelayMs + STOP_TIMEOUT_MS).unref();
    resolveSignal();
  };
  for (const name of SIGNALS) environment.on(name, onSignal);
  try {
    const stop = await start();
    await signal;
    await stop();
  } finally {
    clearTimeout(timeout);
    for (const name of SIGNALS) environment.off(name, onSignal);
  }
}
