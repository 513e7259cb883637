import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../commands/terminal/output.ts';
import { serveMetrics } from '../../doors/health/serve-metrics.ts';
import { readConfig } from '../../platform/config/config.ts';
import { type Logger, openLog } from '../../platform/logging.ts';
import { type Backoff, backoffMs } from '../../platform/outbox/backoff.ts';
import { ownPortsOf } from '../door-ports.ts';
import type { DoorName } from '../product-dependencies.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { forwardLines } from './forward-lines.ts';
import { type FromProcess, PROCESS_NUMBER, type ToProcess } from './process-messages.ts';
import { ProcessMetrics } from './process-metrics.ts';
import { requireFreePort } from './require-free-port.ts';

const RESTART_BACKOFF: Backoff = { firstMs: 200, maxMs: 30_000 };
/** A process that has run for this long is replaced at once when it ends. */
const STABLE_MS = 60_000;
/** A process whose event loop is blocked for this long is killed. */
const HANG_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 1_000;

type Member = {
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** Since it last ran for long. */
  readonly restarts: number;
  lastSeenAt: number;
  /** It has reported, so it listens to signals. */
  hasStarted: boolean;
};

type Listening = Extract<FromProcess, { kind: 'listening' }>;

/** Runs `serve` with these doors in several processes on one port, and replaces those that end or hang. */
export async function serveInProcesses(doors: readonly DoorName[] | undefined, count: number): Promise<void> {
  const config = readConfig('production');
  if (process.platform === 'darwin')
    throw new CommandError('macOS does not distribute connections among several processes; Linux does.');
  await runUntilStopped(
    async () => {
      await requireFreePort(config.port, config.host);
      for (const { setting, port } of ownPortsOf(doors, config))
        if (typeof port === 'number') await requireFreePort(port, config.host, setting);
      const { log, flush } = openLog(config.logLevel);
      const supervisor = new Supervisor(log);
      await using running = new AsyncDisposableStack();
      running.defer(flush);
      running.defer(() => supervisor.stop());
      const port = await supervisor.start(count);
      const metrics = await serveMetrics(supervisor.metrics, config, port);
      running.defer(() => metrics.close());
      log.info({ processes: count, metrics: metrics.url }, 'serving in several processes');
      const started = running.move();
      return {
        stop: async (signal) => {
          log.info({ signal }, 'stopping');
          await started.disposeAsync();
          log.info('stopped');
          await flush();
        },
        reload: async () => supervisor.reload(),
      };
    },
    { ...config, isReloadable: true },
  );
}

class Supervisor {
  readonly #log: Logger;
  readonly #members = new Map<number, Member>();
  readonly metrics = new ProcessMetrics(() => [...this.#members.values()].map(({ child }) => child));
  #checks: NodeJS.Timeout | undefined;
  #checkedAt = performance.now();
  #isStopping = false;
  #ports: Readonly<Record<string, string>> = {};

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns the port. The first process starts alone: what prevents its start is then reported once. */
  async start(count: number): Promise<number> {
    const first = this.#fork(1);
    const listening = await new Promise<Listening | undefined>((resolve) => {
      first.once('exit', () => resolve(undefined));
      first.on('message', (message: FromProcess) => message.kind === 'listening' && resolve(message));
    });
    if (!listening) throw new CommandError('The first process did not start; nothing is served.');
    const { port, eppPort, whoisPort } = listening;
    this.#ports = {
      PORT: String(port),
      ...(eppPort !== undefined && { EPP_PORT: String(eppPort) }),
      ...(whoisPort !== undefined && { WHOIS_PORT: String(whoisPort) }),
    };
    this.#replaceWhenEnded(1, first);
    for (let number = 2; number <= count; number++) this.#replaceWhenEnded(number, this.#fork(number));
    this.#checks = setInterval(() => this.#killHanging(), CHECK_INTERVAL_MS).unref();
    return port;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checks);
    const running = [...this.#members.values()].filter(({ child }) => isRunning(child));
    const ended = running.map(({ child }) => once(child, 'exit'));
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(ended);
  }

  /** One that is still starting reads its files anyway. */
  reload(): void {
    this.#log.info('SIGHUP: processes read files again');
    for (const { child, hasStarted } of this.#members.values())
      if (hasStarted && isRunning(child)) child.kill('SIGHUP');
  }

  #fork(number: number, restarts = 0): ChildProcess {
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
      env: { ...process.env, ...this.#ports, [PROCESS_NUMBER]: String(number) },
      // Numbers that are NaN are lost in JSON.
      serialization: 'advanced',
      // Their output passes through this process: lines of several writers to one pipe would be torn.
      silent: true,
    });
    const now = performance.now();
    this.#members.set(number, { child, startedAt: now, lastSeenAt: now, restarts, hasStarted: false });
    forwardLines(child.stdout, process.stdout);
    forwardLines(child.stderr, process.stderr);
    child.on('message', (message: FromProcess) => this.#receive(number, message));
    child.on('error', (error) => this.#log.warn({ err: error, process: number }, 'a process is unreachable'));
    return child;
  }

  #replaceWhenEnded(number: number, child: ChildProcess): void {
    child.once('exit', async (code, signal) => {
      const member = this.#members.get(number);
      if (this.#isStopping || !member) return;
      const wasStable = performance.now() - member.startedAt > STABLE_MS;
      const restarts = wasStable ? 1 : member.restarts + 1;
      const delayMs = backoffMs(RESTART_BACKOFF, restarts);
      this.#log.error({ process: number, code, signal, delayMs }, 'a process ended and is replaced');
      this.metrics.restarts.inc();
      await sleep(delayMs);
      if (this.#isStopping) return;
      this.#replaceWhenEnded(number, this.#fork(number, restarts));
    });
  }

  #receive(number: number, message: FromProcess): void {
    const member = this.#members.get(number);
    if (member) {
      member.lastSeenAt = performance.now();
      member.hasStarted = true;
    }
    if (message.kind === 'metrics') this.metrics.receive(message);
    if (message.kind !== 'counts') return;
    for (const [other, { child }] of this.#members)
      if (other !== number && child.connected) child.send(message satisfies ToProcess);
  }

  #killHanging(): void {
    const now = performance.now();
    const isLate = now - this.#checkedAt > 2 * CHECK_INTERVAL_MS;
    this.#checkedAt = now;
    // This process was suspended itself: messages that arrived meanwhile are read first.
    if (isLate) return;
    for (const [number, { child, lastSeenAt }] of this.#members) {
      if (!isRunning(child) || now - lastSeenAt < HANG_TIMEOUT_MS) continue;
      this.#log.error({ process: number }, 'a process does not respond and is killed');
      child.kill('SIGKILL');
    }
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;
