import type { Sql } from '../../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../../platform/sql/statement.ts';
import { sortCooperatively } from '../../../platform/values/sorting.ts';
import { authorOf } from '../../history/read-history.ts';
import type { Context } from '../../operation.ts';
import type { Domain } from '../domain.ts';
import { type DomainChange, persistChanges } from '../persist-domains.ts';
import { readLocked } from '../readings/read-locked.ts';

export type AffectedDomains = { readonly affected: readonly string[]; readonly skipped: readonly string[] };

/** Small enough that concurrent reads are hardly delayed by one batch. */
const BATCH = 80;

/**
 * Applies one decision to those of the caller's domains that a query selects by `id`; returns changed and skipped
 * names, sorted. Domains are locked and written in batches, in the order of their ids.
 */
export async function replaceOnEach(
  db: Sql,
  among: Fragment,
  decide: (domain: Domain) => DomainChange | undefined,
  context: Context,
): Promise<AffectedDomains> {
  const affected: string[] = [];
  const skipped: string[] = [];
  // Pipelined: while one batch is being written, the next is already read and decided.
  let writing = Promise.resolve();
  for (let reading = lockSome(db, among, 0, context), more = true; more; ) {
    const domains = await reading;
    more = domains.length === BATCH;
    if (more) reading = lockSome(db, among, domains.at(-1)?.id ?? 0, context);
    reading.catch(() => {}); // not awaited if the preceding write fails
    const changes = domains.flatMap((domain) => decide(domain) ?? []);
    const changed = new Set(changes.map(({ before }) => before.name));
    for (const { name } of domains) (changed.has(name) ? affected : skipped).push(name);
    const written = writing;
    // A dry run is rolled back anyway; without its writes it costs a fraction.
    if (!context.dryRun) writing = persistChanges(db, changes, authorOf(context));
    writing.catch(() => {}); // the error is thrown where it is awaited next
    await written;
  }
  await writing;
  return { affected: await sortCooperatively(affected), skipped: await sortCooperatively(skipped) };
}

async function lockSome(
  db: Sql,
  among: Fragment,
  last: number,
  { principal, now }: Context,
): Promise<Domain[]> {
  // The lateral join locks candidates one by one: otherwise the plan may collect all of them for every batch.
  const rows = await db.rows(sql<{ id: number }>`
    select own.id from (select id from (${among}) as listed where id > ${last} order by id) as candidate
    cross join lateral (
      select d.id from domains d where d.id = candidate.id and d.registrar_id = ${principal.registrarId} offset 0 for update) as own
    order by candidate.id limit ${BATCH}`);
  return readLocked(
    db,
    rows.map(({ id }) => id),
    now,
  );
}
