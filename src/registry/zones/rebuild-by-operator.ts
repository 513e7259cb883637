import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../operations/in-transaction.ts';
import type { OperatorContext, OperatorOperation } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { REBUILD, rebuildWithin } from './rebuild-zone.ts';
import { requireZone } from './require-zone.ts';

type Rebuild = {
  readonly zone: string;
  /** By the wall clock, which serials follow: secondaries do not know that of a sandbox. */
  readonly publishedAt: Date;
  /** How long another writer may have the zone. */
  readonly timeoutMs?: number;
};
/** Without a serial the zone was as its domains say. */
type Rebuilt = { readonly zone: string; readonly serial: number | undefined; readonly owners: number };

/** Far more than the writer needs for one serial. The first publication of a large zone takes longer. */
const TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 100;

/** Publishes every difference between a zone and its domains as one serial, as soon as no other writer has the zone. */
export const rebuildByOperator: OperatorOperation<Rebuild, Rebuilt> = {
  name: 'rebuild zone',
  right: 'zones',
  refusals: ['zoneUnknown', 'zoneFrozen', 'zoneBusy'],
  variant(input, context) {
    const { zone, timeoutMs = TIMEOUT_MS } = input;
    const rebuildOnce = inTransaction<Rebuilt, OperatorContext>({
      transact: (db) => rebuild(db, input, context),
      options: REBUILD,
    });
    return async (run) => {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        try {
          return await rebuildOnce(run);
        } catch (error) {
          if (!(error instanceof ZoneLocked)) throw error;
          if (performance.now() >= deadline) refuse('zoneBusy', { zone, seconds: timeoutMs / 1000 });
        }
        await sleep(RETRY_INTERVAL_MS);
      }
    };
  },
};

class ZoneLocked extends Error {
  override name = 'ZoneLocked';
}

async function rebuild(db: Pool, { zone, publishedAt }: Rebuild, context: OperatorContext): Promise<Rebuilt> {
  const { policy } = context;
  const written = await rebuildWithin(db, requireZone(zone, policy), policy, publishedAt);
  const { prevented, serial, owners } = written;
  if (prevented === 'locked') throw new ZoneLocked(`another writer has ${zone}`);
  if (prevented === 'frozen') refuse('zoneFrozen', { zone, since: await frozenSince(db, zone) });
  if (serial !== undefined) {
    const entry = {
      objectKind: 'zone',
      objectId: sql`z.id`,
      objectName: zone,
      operation: 'rebuild',
      after: { serial, owners },
    };
    await db.run(insertHistory(entry, context, sql`from zones z where z.zone = ${zone}`));
  }
  return { zone, serial, owners };
}

async function frozenSince(db: Sql, zone: string): Promise<string> {
  const { since } = await db.one(sql<{ since: Date }>`
    select frozen_since as since from zones where zone = ${zone} and frozen_since is not null`);
  return since.toISOString();
}
