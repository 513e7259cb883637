import { codeOf } from './database/database-errors.ts';

/** As long as a failure lasts it is logged at this interval. */
const REPORT_INTERVAL_MS = 600_000;
/** Of each source. Beyond it messages that differ each time would be kept without end. */
const MAX_MESSAGES = 20;

type Reported = { at: number; unreported: number };

const AWAY = new Set(['CONNECTION_FAILED', 'CONNECTION_LOST', '08001', '08006', '57P01', '57P02', '57P03']);

/** One for all messages by which PostgreSQL says that it stops, is stopped or starts: the outage has a line of its own. */
export const causeOf = (error: unknown): string =>
  AWAY.has(codeOf(error) ?? '') ? 'the database is away' : String(error);

/** Decides which failures of repeated work are logged: the first of each message, then one at intervals. */
export class RepeatedFailures {
  readonly #monotonic: () => number;
  readonly #reported = new Map<string, Map<string, Reported>>();

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** How many equal failures were not logged since the last one that was; undefined if this one is not to be logged. */
  add(source: string, message: string): number | undefined {
    const messages = this.#messagesOf(source);
    const now = this.#monotonic();
    const known = messages.get(message);
    if (known && now - known.at < REPORT_INTERVAL_MS) {
      known.unreported += 1;
      return undefined;
    }
    if (messages.size >= MAX_MESSAGES) messages.clear();
    messages.set(message, { at: now, unreported: 0 });
    return known?.unreported ?? 0;
  }

  /** The source has succeeded: its next failure is a new one. */
  end(source: string): void {
    this.#reported.delete(source);
  }

  #messagesOf(source: string): Map<string, Reported> {
    const messages = this.#reported.get(source) ?? new Map<string, Reported>();
    this.#reported.set(source, messages);
    return messages;
  }
}
