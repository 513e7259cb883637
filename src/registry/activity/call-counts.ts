import { wallClock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type CountedCall = {
  readonly userId: number;
  readonly interface: 'http' | 'epp';
  readonly call: string;
  readonly result: number;
};
type Count = CountedCall & { readonly hour: number; calls: number };

/** A process that is killed loses the counts of this time. */
export const CALL_WRITE_INTERVAL_MS = 2_000;
/** Distinct counts between two writes; a busy server has some hundreds, an outage of hours some thousands. */
const MAX_COUNTS = 20_000;
const MAX_CALL_LENGTH = 200;
const HOUR_MS = 3_600_000;

/** Counts the calls of API users in memory, and adds them to the database in one statement at a time. */
export class CallCounts {
  readonly #db: Sql;
  readonly #log: Logger;
  readonly #maxCounts: number;
  #counts = new Map<string, Count>();
  #dropped = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Sql, log: Logger, maxCounts = MAX_COUNTS) {
    this.#db = db;
    this.#log = log;
    this.#maxCounts = maxCounts;
  }

  /** By the wall clock: it neither throws nor jumps, as that of the registry may. */
  add(counted: CountedCall): void {
    const call = counted.call.slice(0, MAX_CALL_LENGTH);
    this.#add({ ...counted, call }, Math.floor(wallClock.now().getTime() / HOUR_MS), 1);
  }

  #add(counted: CountedCall, hour: number, calls: number): void {
    const key = `${counted.userId} ${hour} ${counted.interface} ${counted.result} ${counted.call}`;
    const known = this.#counts.get(key);
    if (known) known.calls += calls;
    else if (this.#counts.size < this.#maxCounts) this.#counts.set(key, { ...counted, hour, calls });
    else this.#dropped += calls;
  }

  /**
   * Never rejects. After a failure the counts are kept for the next write; if the connection was lost after the
   * database had taken them, they are counted twice.
   */
  write(): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length > 0) this.#writing = this.#writing.then(() => this.#write(counts));
    return this.#writing;
  }

  /** Drops what is not written yet, and waits for what is being written: after a reset users are others under the same ids. */
  async forget(): Promise<void> {
    this.#counts = new Map();
    await this.#writing;
  }

  async #write(counts: readonly Count[]): Promise<void> {
    try {
      await writeCounts(this.#db, counts);
    } catch (error) {
      this.#log.warn({ err: error }, 'the counts of API calls were not written');
      for (const count of counts) this.#add(count, count.hour, count.calls);
    }
    if (this.#dropped > 0) this.#log.warn({ calls: this.#dropped }, 'API calls were not counted');
    this.#dropped = 0;
  }
}

/** In the order of the key, so that processes which add to the same rows wait for each other and never in a circle. */
async function writeCounts(db: Sql, counts: readonly Count[]): Promise<void> {
  const column = <Name extends keyof Count>(name: Name): Count[Name][] => counts.map((count) => count[name]);
  await db.run(sql`
    insert into api_calls (registrar_id, hour, user_id, interface, call, result, calls)
    select u.registrar_id, to_timestamp(c.hour * 3600.0), c.user_id, c.interface, c.call, c.result, c.calls
    from unnest(${column('hour')}::bigint[], ${column('userId')}::bigint[], ${column('interface')}::text[], ${column('call')}::text[],
      ${column('result')}::int[], ${column('calls')}::bigint[]) as c(hour, user_id, interface, call, result, calls)
    join api_users u on u.id = c.user_id
    order by u.registrar_id, c.hour, c.user_id, c.interface, c.call collate "C", c.result
    on conflict (registrar_id, hour, user_id, interface, call, result) do update set calls = api_calls.calls + excluded.calls`);
}
