import { commandEnvironment } from '../platform/config/command-environment.ts';

export type Stoppable = {
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Reads files again that may have changed. Without it SIGHUP, which a closed terminal sends, stops too. */
  reload?(): Promise<void>;
};
type Options = {
  readonly shutdownDelayMs?: number;
  /** Whether SIGHUP reloads; known before the start, during which it may arrive. */
  readonly isReloadable?: boolean;
};

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
export const STOP_TIMEOUT_MS = 20_000;
/** npm forwards a Ctrl-C that has already reached us: the same signal, not a second one. */
const REPEATED_SIGNAL_MS = 1_000;

/**
 * Runs until a signal arrives, then stops cleanly, even when the signal arrived during the start. A second signal, or a
 * stop that takes too long, ends the process at once.
 */
export async function runUntilStopped(
  start: () => Promise<Stoppable>,
  { shutdownDelayMs = 0, isReloadable = false }: Options = {},
): Promise<void> {
  const environment = commandEnvironment();
  const { promise: signal, resolve: resolveSignal } = Promise.withResolvers<NodeJS.Signals>();
  let firstAt: number | undefined;
  let timeout: NodeJS.Timeout | undefined;
  const onStop = (name: NodeJS.Signals) => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > REPEATED_SIGNAL_MS) environment.exit(1);
      return;
    }
    firstAt = performance.now();
    timeout = setTimeout(() => environment.exit(1), shutdownDelayMs + STOP_TIMEOUT_MS).unref();
    resolveSignal(name);
  };
  let running: Stoppable | undefined;
  // What is still starting reads its files anyway.
  const onReload = () => void (firstAt === undefined && running?.reload?.());
  const listeners = [
    ...STOP_SIGNALS.map((name) => ({ name, listener: () => onStop(name) })),
    { name: 'SIGHUP' as const, listener: isReloadable ? onReload : () => onStop('SIGHUP') },
  ];
  for (const { name, listener } of listeners) environment.on(name, listener);
  try {
    running = await start();
    await running.stop(await signal);
  } finally {
    clearTimeout(timeout);
    for (const { name, listener } of listeners) environment.off(name, listener);
  }
}
