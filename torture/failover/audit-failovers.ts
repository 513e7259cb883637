import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { auditJournal, DOUBLED, findLost, LOST } from '../audit/journal.ts';
import { audit } from '../auditor.ts';
import type { FailoverTimes, StandbyMode } from '../database/cluster.ts';
import { type Intent, outcomeOf } from '../journal.ts';
import type { FailoverLoad, ListRead } from './failover-load.ts';

export type WriteFigures = {
  readonly intents: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Acknowledged, and not in the database. */
  readonly lost: number;
  readonly doubled: number;
};
export type ListFigures = {
  readonly answered: number;
  readonly failed: number;
  /** Acknowledged before the list was requested, in the database, and not in the list. */
  readonly missed: number;
};
export type Audited = {
  readonly writes: WriteFigures;
  readonly lists: ListFigures;
  /** How many of the lost ones each failover cost. */
  readonly lostBy: readonly number[];
  /** Everything wrong; what an asynchronous standby has lost is by design. */
  readonly findings: readonly Finding[];
};

/** Compares every acknowledged write and every list with the database. */
export async function auditFailovers(
  db: Sql,
  standby: StandbyMode,
  { journal, lists }: FailoverLoad,
  failovers: readonly FailoverTimes[],
): Promise<Audited> {
  const all = [...(await audit(db)), ...(await auditJournal(db, journal))];
  const lost = await findLost(db, journal);
  const created = [...lost.values()].flat().filter(({ operation }) => operation === 'create');
  const lostNames = new Set(created.map(({ name }) => name));
  const missed = lists.flatMap((list) => findMissed(list, lostNames));
  const outcomes = Map.groupBy(journal.intents, ({ attempts }) => outcomeOf(attempts));
  const count = (outcome: 'done' | 'refused' | 'unknown') => outcomes.get(outcome)?.length ?? 0;
  return {
    writes: {
      intents: journal.intents.length,
      acknowledged: count('done'),
      refused: count('refused'),
      unknown: count('unknown'),
      lost: lost.size,
      doubled: all.filter(({ finding }) => finding === DOUBLED).length,
    },
    lists: {
      answered: lists.filter(({ listed }) => listed !== undefined).length,
      failed: lists.filter(({ listed }) => listed === undefined).length,
      missed: missed.length,
    },
    lostBy: failovers.map(
      (failover) => [...lost.keys()].filter((intent) => failover === failoverAfter(intent, failovers)).length,
    ),
    findings: [...all.filter(({ finding }) => standby === 'sync' || finding !== LOST), ...missed],
  };
}

const findMissed = (
  { kind, expected, listed, sentAt, endedAt }: ListRead,
  lost: ReadonlySet<string>,
): Finding[] =>
  expected
    .filter((name) => listed !== undefined && !listed.has(name) && !lost.has(name))
    .map((name) => ({
      finding: 'a list lacks what was acknowledged before it was requested',
      subject: name,
      expected: `in the list of ${kind}`,
      found: `${listed?.size} others, requested at ${new Date(sentAt).toISOString()}, answered after ${endedAt - sentAt} ms`,
    }));

/** The one that came after the answer: what was sent later never reached the server that died. */
function failoverAfter({ attempts }: Intent, failovers: readonly FailoverTimes[]): FailoverTimes | undefined {
  const done = attempts.find(({ outcome }) => outcome === 'done');
  return failovers.find(({ goneAt }) => done !== undefined && done.sentAt <= goneAt);
}
