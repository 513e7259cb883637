import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../platform/sql/executor.ts';
import type { Cents } from '../platform/values/money.ts';
import { type CheckPosition, FIRST_POSITION } from './check-position.ts';
import {
  type Finding,
  findOpenTransactions,
  findUnchargedChanges,
  findUnfoundedCharges,
  findWrongBalances,
  findWrongPayments,
  findWrongSteps,
  type Horizon,
  lastOfNextPayments,
  readHorizon,
  readLastBalances,
  sumEntries,
} from './check-statements.ts';
import { TransactionsOpen } from './transactions-open.ts';

export type { Finding } from './check-statements.ts';

/** Ids of one statement, which is then some 0.1 s, with a sort that fits in work_mem. */
const RANGE = 20_000;
const PAYMENTS_RANGE = 10_000;
/** More say no more, and would have to be held in memory. */
const MAX_FINDINGS = 1_000;
const SETTLE_INTERVAL_MS = 100;
const MAX_SETTLE_ATTEMPTS = 600;

type CheckOptions = {
  /** Everything up to here is taken for checked; the first entry without it. */
  readonly from?: CheckPosition | undefined;
  readonly range?: number;
  /** After each range without a finding before it. */
  readonly onPosition?: (position: CheckPosition) => Promise<void>;
  /** Asked between ranges; the check then ends incomplete. */
  readonly isOver?: () => boolean;
  /** Waits for transactions that were open when the check began. */
  readonly pause?: () => Promise<unknown>;
};

export type LedgerCheck = {
  /** The first of them. */
  readonly findings: Finding[];
  readonly findingCount: number;
  /** How many entries this check has read. */
  readonly entries: number;
  /** Whether it came to the end. */
  readonly isComplete: boolean;
};

/** Recomputes the whole ledger from its entries and compares it with balances and history; returns all discrepancies. */
export const checkLedger = async (db: Sql): Promise<Finding[]> => (await checkLedgerInRanges(db)).findings;

/**
 * The same in ranges, each by statements of its own: memory and the time of a statement do not grow with the ledger.
 * Entries before `from` are not read. Payments are checked completely, since they change after their entries.
 */
export async function checkLedgerInRanges(db: Sql, options: CheckOptions = {}): Promise<LedgerCheck> {
  const { from = FIRST_POSITION, range = RANGE, onPosition, isOver = () => false } = options;
  const found = new Findings();
  const state = new CheckedEntries(from);
  const horizon = await settledHorizon(db, isOver, options.pause ?? (() => sleep(SETTLE_INTERVAL_MS)));
  if (!horizon) return found.report(0, false);
  while (state.entryId < horizon.entryId || state.historyId < horizon.historyId) {
    if (isOver()) return found.report(state.entries - from.entries, false);
    await state.checkNext(db, horizon, range, found);
    if (found.count === 0) await onPosition?.(state.position());
  }
  for (let after = ''; ; ) {
    if (isOver()) return found.report(state.entries - from.entries, false);
    const until = await lastOfNextPayments(db, after, PAYMENTS_RANGE);
    if (until === undefined) break;
    found.add(await findWrongPayments(db, { after, until }));
    after = until;
  }
  found.add(await findWrongBalances(db, state.entryId, state.balances));
  return found.report(state.entries - from.entries, true);
}

/** An id is drawn before its row is visible: a row that appears behind the position would never be checked. */
async function settledHorizon(
  db: Sql,
  isOver: () => boolean,
  pause: () => Promise<unknown>,
): Promise<Horizon | undefined> {
  const horizon = await readHorizon(db);
  let open = await findOpenTransactions(db);
  for (let attempt = 0; open.length > 0; attempt++) {
    if (isOver()) return undefined;
    if (attempt === MAX_SETTLE_ATTEMPTS) throw new TransactionsOpen();
    await pause();
    open = await findOpenTransactions(db, open);
  }
  return horizon;
}

class Findings {
  readonly #first: Finding[] = [];
  count = 0;

  add(findings: readonly Finding[]): void {
    this.count += findings.length;
    this.#first.push(...findings.slice(0, MAX_FINDINGS - this.#first.length));
  }

  report(entries: number, isComplete: boolean): LedgerCheck {
    return { findings: this.#first, findingCount: this.count, entries, isComplete };
  }
}

/** The position while it moves. */
class CheckedEntries {
  entryId: number;
  historyId: number;
  entries: number;
  /** The sums of all entries so far. */
  readonly balances: Map<number, Cents>;
  /** The balances that the last entries claim: the same, unless a step was wrong. */
  readonly #claimed: Map<number, Cents>;

  constructor({ entryId, historyId, entries, balances }: CheckPosition) {
    this.entryId = entryId;
    this.historyId = historyId;
    this.entries = entries;
    this.balances = new Map(balances);
    this.#claimed = new Map(balances);
  }

  position(): CheckPosition {
    const { entryId, historyId, entries } = this;
    return { entryId, historyId, entries, balances: new Map(this.balances) };
  }

  async checkNext(db: Sql, horizon: Horizon, range: number, found: Findings): Promise<void> {
    const entries = { after: this.entryId, until: Math.min(this.entryId + range, horizon.entryId) };
    const changes = { after: this.historyId, until: Math.min(this.historyId + range, horizon.historyId) };
    if (entries.until > entries.after) {
      const wrongSteps = await findWrongSteps(db, entries, this.#claimed);
      found.add(wrongSteps);
      found.add(await findUnfoundedCharges(db, entries));
      await this.#add(db, entries, wrongSteps.length > 0);
    }
    if (changes.until > changes.after) found.add(await findUnchargedChanges(db, changes));
    this.entryId = Math.max(this.entryId, entries.until);
    this.historyId = Math.max(this.historyId, changes.until);
  }

  async #add(db: Sql, range: { after: number; until: number }, isWrong: boolean): Promise<void> {
    for (const { account, sum, entries } of await sumEntries(db, range)) {
      this.entries += entries;
      if (account === null) continue;
      this.balances.set(account, (this.balances.get(account) ?? 0n) + BigInt(sum));
      if (!isWrong) this.#claimed.set(account, (this.#claimed.get(account) ?? 0n) + BigInt(sum));
    }
    if (!isWrong) return;
    for (const { account, sum } of await readLastBalances(db, range)) this.#claimed.set(account, BigInt(sum));
  }
}
