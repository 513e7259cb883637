import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy, Zone } from '../../policy/policy.ts';
import { loadPage } from './published-domains.ts';
import { labelOf, recordsOf } from './records.ts';
import { ownersOfPolicy } from './zone-owners.ts';
import { findChanges, lockZone, type OwnerChange, Publication, type WrittenZone } from './zone-projection.ts';
import { beginSnapshot } from './zone-store.ts';

const PAGE_DOMAINS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Compares a whole zone with its domains, and publishes every difference as one serial. */
export const rebuildZone = (pool: Pool, zone: Zone, policy: Policy, now: Date): Promise<WrittenZone> =>
  pool.begin(
    async (db) => {
      const locked = await lockZone(db, zone.origin);
      if (!locked || locked.isFrozen) return { serial: undefined, marks: 0, owners: 0 };
      // Deleted before the domains are read: a change that commits meanwhile keeps its mark.
      const marks = await db.run(sql`delete from zone_marks where zone = ${zone.origin}`);
      const publication = new Publication(zone, locked.serial, now);
      // A zone without domains has its start of authority all the same.
      if (locked.serial === undefined) await publication.open(db);
      for await (const changes of differencesOf(db, zone, policy)) await publication.write(db, changes);
      return { serial: publication.serial, marks, owners: publication.owners };
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  );

export type CheckedZone = {
  readonly domains: number;
  /** Domains with a mark: they are published later, and not compared. */
  readonly waiting: number;
  /** The first of the owners that differ, and how many there are. */
  readonly differences: readonly OwnerChange[];
  readonly count: number;
};

const MAX_DIFFERENCES = 100;

/** Compares what is published with what the domains say, in one snapshot; changes nothing. */
export const checkProjection = (pool: Pool, zone: Zone, policy: Policy): Promise<CheckedZone> =>
  pool.begin(
    async (db) => {
      await beginSnapshot(db);
      return compareWithDomains(db, zone, policy);
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  );

/** The same without a snapshot of its own, for a database at rest. */
export async function compareWithDomains(db: Sql, zone: Zone, policy: Policy): Promise<CheckedZone> {
  const marks = await db.rows(sql<{ name: string }>`
    select distinct name from zone_marks where zone = ${zone.origin}`);
  const waiting = new Set(marks.map(({ name }) => name));
  const { domains } = await db.one(sql<{ domains: number }>`
    select count(*) as domains from zone_records where zone = ${zone.origin} and domain is not null`);
  const differences: OwnerChange[] = [];
  let count = 0;
  for await (const changes of differencesOf(db, zone, policy)) {
    const found = changes.filter(({ domain }) => domain === null || !waiting.has(domain));
    count += found.length;
    differences.push(...found.slice(0, MAX_DIFFERENCES - differences.length));
  }
  return { domains, waiting: waiting.size, differences, count };
}

/** The owners of a zone that should have other records than they have, page by page. */
async function* differencesOf(db: Sql, zone: Zone, policy: Policy): AsyncGenerator<OwnerChange[]> {
  yield await findChanges(db, zone.origin, await ownersOfPolicy(db, zone, policy));
  for (let after = 0; ; ) {
    const page = await loadPage(db, zone.origin, { after, most: PAGE_DOMAINS });
    const owners = page.flatMap((domain) => {
      const label = labelOf(domain.name, zone.origin);
      return label === undefined ? [] : [{ label, domain: domain.name, records: recordsOf(domain, policy) }];
    });
    yield await findChanges(db, zone.origin, owners);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_DOMAINS) break;
    after = last.id;
  }
  const gone = await db.rows(sql<{ label: string; domain: string }>`
    select label, domain from zone_records r
    where zone = ${zone.origin} and domain is not null and not exists (select from domains d where d.name = r.domain)`);
  yield await findChanges(
    db,
    zone.origin,
    gone.map((owner) => ({ ...owner, records: [] })),
  );
}
