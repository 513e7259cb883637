import { CommandError } from '../../commands/terminal/output.ts';
import { commandEnvironment } from '../../platform/config/command-environment.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { type FromProcess, type ListeningPorts, PROCESS_NUMBER, type ToProcess } from './process-messages.ts';
import { SharedRateLimits } from './shared-rate-limits.ts';

const ALIVE_INTERVAL_MS = 2_000;

export type SupervisedProcess = {
  readonly number: number;
  readonly rateLimits: SharedRateLimits;
  listensOn(ports: ListeningPorts): void;
  /** Sends its metrics when the supervisor collects them. */
  reportMetrics(metrics: Metrics): void;
  /** Ends the connection with the supervisor, as the last action. */
  leave(): void;
};

/** Undefined where a process serves alone. */
export function processNumber(): number | undefined {
  const number = commandEnvironment().env[PROCESS_NUMBER];
  return number === undefined ? undefined : Number(number);
}

/** This process's part in a `serve` of several; undefined where it serves alone. */
export function supervisedProcess(): SupervisedProcess | undefined {
  const number = processNumber();
  if (number === undefined) return undefined;
  if (!process.connected) throw new CommandError('The supervisor of this process has ended.');
  const send = (message: FromProcess) => {
    if (process.connected) process.send?.(message);
  };
  const alive = setInterval(() => send({ kind: 'alive' }), ALIVE_INTERVAL_MS).unref();
  const rateLimits = new SharedRateLimits((counts) => send({ kind: 'counts', counts }));
  let metrics: Metrics | undefined;
  const onMessage = (message: ToProcess) => {
    if (message.kind === 'counts') rateLimits.add(message.counts);
    if (message.kind === 'collect metrics')
      void metrics?.registry
        .getMetricsAsJSON()
        .then((collected) => send({ kind: 'metrics', id: message.id, metrics: collected }));
  };
  // Without a supervisor nobody would stop this process.
  const onDisconnect = () => process.kill(process.pid, 'SIGTERM');
  process.on('message', onMessage);
  process.once('disconnect', onDisconnect);
  return {
    number,
    rateLimits,
    listensOn: (ports) => send({ kind: 'listening', ...ports }),
    reportMetrics: (reported) => {
      reported.registry.setDefaultLabels({ process: String(number) });
      metrics = reported;
    },
    leave: () => {
      clearInterval(alive);
      rateLimits.stop();
      process.off('message', onMessage);
      process.off('disconnect', onDisconnect);
      // The channel would keep this process alive.
      if (process.connected) process.disconnect();
    },
  };
}
