import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import type { Domain } from './domain.ts';
import {
  checkDuplicateNameservers,
  checkGlue,
  checkNameserverCount,
  type Nameserver,
} from './nameservers.ts';
import type { DomainChange } from './persist.ts';
import { replaceOnEach } from './replace.ts';
import { isProhibited } from './statuses.ts';

export type NameserverReplacement = {
  /** Without it the nameserver is added, to the listed domains only. */
  readonly current: string | undefined;
  readonly next: Nameserver;
  /** As sent by the client; echoed in the answer. */
  readonly attributes: object;
  /** Only these; without a list, all of the caller's domains that have the nameserver. */
  readonly names: readonly string[] | undefined;
};

/** Replaces one nameserver by another, or adds one. Listed domains that the rules exclude are skipped and reported. */
export function replaceNameserver(
  database: Database,
  { current, next, attributes, names }: NameserverReplacement,
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    if (next.hostname === current) refuse('sameNameserver', { field: 'data.attributes.hostname' });
    if (current !== undefined) await requireUsedHostname(db, current, context);
    const among = names
      ? sql`select id from unnest(${await idsOf(db, names)}::bigint[]) as listed(id)`
      : sql`select n.domain_id as id from domain_nameservers n where n.hostname = ${current ?? null}`;
    const { affected, skipped } = await replaceOnEach(
      db,
      among,
      (domain) =>
        current === undefined
          ? withFurtherNameserver(domain, next, context)
          : withOtherNameserver(domain, { current, next }, context.policy),
      context,
    );
    const known = new Set([...affected, ...skipped]);
    const unknown = (names ?? []).filter((name) => !known.has(name));
    return {
      type: 'nameserver',
      id: next.hostname,
      attributes,
      affected_domains: affected,
      skipped_domains: [...skipped, ...unknown].toSorted(),
    };
  });
}

export function withOtherNameserver(
  domain: Domain,
  { current, next }: { readonly current: string; readonly next: Nameserver },
  policy: Policy,
): DomainChange | undefined {
  const has = (hostname: string) => domain.nameservers.some((item) => item.hostname === hostname);
  if (!has(current) || has(next.hostname) || isProhibited('update', domain.statuses)) return undefined;
  if (checkGlue([next], domain.name, '', policy).length > 0) return undefined;
  const remaining = domain.nameservers.filter(({ hostname }) => hostname !== current);
  return {
    operation: 'replace nameserver',
    before: domain,
    after: { ...domain, nameservers: [...remaining, next] },
  };
}

function withFurtherNameserver(
  domain: Domain,
  next: Nameserver,
  { policy }: Pick<Context, 'policy'>,
): DomainChange | undefined {
  const nameservers = [...domain.nameservers, next];
  const refusals = [
    ...checkDuplicateNameservers([next], domain.nameservers, ''),
    ...checkGlue([next], domain.name, '', policy),
    ...checkNameserverCount(nameservers.length, '', policy),
  ];
  if (refusals.length > 0 || isProhibited('update', domain.statuses)) return undefined;
  return { operation: 'add nameserver', before: domain, after: { ...domain, nameservers } };
}

async function idsOf(db: Sql, names: readonly string[]): Promise<number[]> {
  const rows = await db.rows(
    sql<{ id: number }>`select id from domains where name = any(${names as string[]}::text[])`,
  );
  return rows.map(({ id }) => id);
}

async function requireUsedHostname(db: Sql, hostname: string, { principal }: Context): Promise<void> {
  const used = await db.maybe(sql`
    select from domain_nameservers n join domains d on d.id = n.domain_id
    where n.hostname = ${hostname} and d.registrar_id = ${principal.registrarId} limit 1`);
  if (!used) refuse('bodyObjectMissing', { object: hostname, field: 'data.id' });
}
