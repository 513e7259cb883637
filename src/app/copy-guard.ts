import { CommandError } from '../commands/terminal/output.ts';
import {
  type CopyState,
  describeMove,
  type InstallationCopy,
  readCopy,
  readPlace,
  recordOriginal,
} from '../platform/installation-copy.ts';
import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/database/database.ts';

const CONFIRM = 'cadastre staging on if it is a copy, cadastre recovery confirm if it replaces the original';

/** Refuses where nobody has said yet whether this database is a copy. */
export function requireDeclared({ state, reason }: InstallationCopy): void {
  if (state === 'unconfirmed')
    throw new CommandError(`This database was ${reason ?? 'restored'}, and may be a copy. Run ${CONFIRM}.`);
}

/**
 * Whether a process works on the registry itself or on a copy for staging. Undeclared copies are refused at the start,
 * as far as they can be recognised; a declaration while the process runs stops everything that leaves it.
 */
export class CopyGuard {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #startedAs: CopyState | undefined;
  #state: CopyState | undefined;

  private constructor(database: Database, log: Logger, state: CopyState | undefined) {
    this.#database = database;
    this.#log = log;
    this.#startedAs = this.#state = state;
  }

  /** Only `work` compares hosts, and records where the original is: it is what must not run twice. */
  static async open(database: Database, url: string, log: Logger, isWorker: boolean): Promise<CopyGuard> {
    const copy = await readCopy(database.reads);
    requireDeclared(copy);
    const guard = new CopyGuard(database, log, copy.state);
    if (guard.isStaging) {
      log.warn({ since: copy.since }, 'staging: no mail, no payment, no message leaves this copy');
      return guard;
    }
    const place = await readPlace(database.reads, url);
    const here = isWorker ? place : { ...place, hosts: [] };
    const move = copy.recorded && describeMove(copy.recorded, here);
    if (move !== undefined)
      throw new CommandError(`This may be a copy of the registry: ${move}. Run ${CONFIRM}.`);
    const isKnown = JSON.stringify(copy.recorded) === JSON.stringify(place);
    if (isWorker && !isKnown) await recordOriginal(database.writes, place);
    return guard;
  }

  /** Nothing may leave. */
  get isStaging(): boolean {
    return this.#state !== undefined;
  }

  /** False once it was declared a copy, or no longer one, since the start: the process has to be started again. */
  get isAsStarted(): boolean {
    return this.#state === this.#startedAs;
  }

  async refresh(): Promise<void> {
    const { state } = await readCopy(this.#database.reads);
    if (state !== this.#state)
      this.#log.error(
        { state: state ?? 'original' },
        'the installation was declared as something else: start this process again',
      );
    this.#state = state;
  }
}

export function registerCopyMetrics(metrics: Metrics, copy: CopyGuard): void {
  metrics.watch('cadastre_staging', '1 in a copy for staging, which nothing leaves', () =>
    Number(copy.isStaging),
  );
}
