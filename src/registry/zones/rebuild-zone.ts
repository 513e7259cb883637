import { oneAhead } from '../../platform/concurrency/one-ahead.ts';
import type { BeginOptions, Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy, Zone } from '../../policy/policy.ts';
import { type DomainPage, loadPage } from './published-domains.ts';
import { labelOf, recordsOf } from './records.ts';
import { ownersOfPolicy } from './zone-owners.ts';
import {
  findChanges,
  lockZone,
  notWritten,
  type Owner,
  type OwnerChange,
  Publication,
  type WrittenZone,
} from './publish-changes.ts';
import { beginSnapshot } from './zone-store.ts';

/** Small enough that what belongs to a page is collected as young garbage: with ten times as many memory grew. */
const MAX_PAGE_DOMAINS = 500;
const STATEMENT_TIMEOUT_MS = 60_000;

/** Of a transaction that rebuilds a zone. */
export const REBUILD: BeginOptions = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };

/** Compares a whole zone with its domains, and publishes every difference as one serial; `now` is the wall clock. */
export const rebuildZone = (pool: Pool, zone: Zone, policy: Policy, now: Date): Promise<WrittenZone> =>
  pool.begin((db) => rebuildWithin(db, zone, policy, now), REBUILD);

/** The same inside a transaction. */
export async function rebuildWithin(db: Sql, zone: Zone, policy: Policy, now: Date): Promise<WrittenZone> {
  const locked = await lockZone(db, zone.origin);
  if (!locked || locked.isFrozen) return notWritten(locked ? 'frozen' : 'locked');
  // Deleted before the domains are read: a change that commits meanwhile keeps its mark.
  const marks = await db.run(sql`delete from zone_marks where zone = ${zone.origin}`);
  const publication = new Publication(zone, locked.serial, now);
  // A zone without domains has its start of authority all the same.
  if (locked.serial === undefined) await publication.open(db);
  for await (const changes of differencesOf(db, zone, policy)) await publication.write(db, changes);
  const { serial, owners } = publication;
  return { serial, marks, owners };
}

export type CheckedZone = {
  readonly domains: number;
  /** Domains, and zones with new delegation signers, that have a mark: they are published later, and not compared. */
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
    const found = changes.filter(({ label, domain }) => !waiting.has(domain ?? `${label}.${zone.origin}`));
    count += found.length;
    differences.push(...found.slice(0, MAX_DIFFERENCES - differences.length));
  }
  return { domains, waiting: waiting.size, differences, count };
}

/**
 * The owners of a zone that should have other records than they have, page by page. While one page is used, the records
 * of the next are computed and the domains after it are read.
 */
const differencesOf = (db: Sql, zone: Zone, policy: Policy): AsyncGenerator<OwnerChange[], void> =>
  oneAhead(findDifferences(db, zone, policy));

async function* findDifferences(db: Sql, zone: Zone, policy: Policy): AsyncGenerator<OwnerChange[], void> {
  yield await findChanges(db, zone.origin, await ownersOfPolicy(db, zone, policy));
  for await (const page of oneAhead(domainPages(db, zone.origin))) {
    const owners = page.flatMap((domain) => {
      const label = labelOf(domain.name, zone.origin);
      return label === undefined ? [] : [{ label, domain: domain.name, records: recordsOf(domain, policy) }];
    });
    yield await findChanges(db, zone.origin, owners);
  }
  for await (const page of deletedOwners(db, zone.origin)) yield await findChanges(db, zone.origin, page);
}

/** Not those that are registered meanwhile: a name that is deleted and registered again would come twice. */
async function* domainPages(db: Sql, zone: string): AsyncGenerator<DomainPage[], void> {
  const { last } = await db.one(sql<{ last: number }>`select coalesce(max(id), 0) as last from domains`);
  let page: DomainPage[];
  let after = 0;
  do {
    page = await loadPage(db, zone, { after, last, limit: MAX_PAGE_DOMAINS });
    after = page.at(-1)?.id ?? after;
    yield page;
  } while (page.length === MAX_PAGE_DOMAINS);
}

/** What is published for domains that are gone. */
async function* deletedOwners(db: Sql, zone: string): AsyncGenerator<Owner[], void> {
  let page: { label: string; domain: string }[];
  let after = '';
  do {
    page = await db.rows(sql<{ label: string; domain: string }>`
      select label, domain from zone_records r
      where zone = ${zone} and label > ${after} and domain is not null and not exists (select from domains d where d.name = r.domain)
      order by label limit ${MAX_PAGE_DOMAINS}`);
    after = page.at(-1)?.label ?? after;
    yield page.map((owner) => ({ ...owner, records: [] }));
  } while (page.length === MAX_PAGE_DOMAINS);
}
