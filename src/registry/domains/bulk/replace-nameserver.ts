import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import { PLANNED_ONCE, type Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Context } from '../../operation.ts';
import { runRegistryTransaction } from '../../run-registry-operation.ts';
import type { Domain } from '../domain.ts';
import { refusal, refuse } from '../rules/domain-refusals.ts';
import {
  checkDuplicateNameservers,
  checkGlueAddresses,
  checkGluePresence,
  checkNameserverCount,
  type Nameserver,
} from '../rules/parse-nameservers.ts';
import type { DomainChange } from '../persist-domains.ts';
import { type AffectedDomains, replaceOnEach } from './replace-on-each.ts';
import { checkProhibited } from '../rules/domain-statuses.ts';

export type NameserverReplacement = {
  /** Without it the nameserver is added, to the listed domains only. */
  readonly current: string | undefined;
  readonly next: Nameserver;
  /** Only these; without a list, all of the caller's domains that have the nameserver. */
  readonly names: readonly string[] | undefined;
  /** A nameserver that is to be replaced by itself is skipped everywhere, instead of refused. */
  readonly mayBeSame?: boolean;
};

/**
 * Replaces one nameserver by another, or adds one. Listed domains that the rules exclude are skipped and reported.
 * An address that one of them cannot publish stops the whole.
 */
export function replaceNameserver(
  database: Database,
  replacement: NameserverReplacement,
  context: Context,
): Promise<Outcome<AffectedDomains>> {
  const { current, names } = replacement;
  return runRegistryTransaction(
    database,
    context,
    async (db) => {
      await requirePossible(db, replacement, context);
      const among = names
        ? sql`select id from unnest(${await idsOf(db, names)}::bigint[]) as listed(id)`
        : sql`select n.domain_id as id from domain_nameservers n where n.hostname = ${current ?? null}`;
      const { affected, skipped } = await replaceOnEach(
        db,
        among,
        (domain) => withOtherNameserver(domain, replacement, context.policy),
        context,
      );
      const unknown = names ? missingIn([...affected, ...skipped], names) : [];
      return { affected, skipped: [...skipped, ...unknown].toSorted() };
    },
    PLANNED_ONCE,
  );
}

function missingIn(found: readonly string[], names: readonly string[]): string[] {
  const known = new Set(found);
  return names.filter((name) => !known.has(name));
}

type Replaced = Pick<NameserverReplacement, 'current' | 'next'>;

/** Undefined where the rules exclude the domain. */
export function withOtherNameserver(
  domain: Domain,
  replacement: Replaced,
  policy: Policy,
): DomainChange | undefined {
  if (checkReplacement(domain, replacement, policy).length > 0) return undefined;
  requirePublishable(domain, replacement, policy);
  return {
    operation: replacement.current === undefined ? 'add nameserver' : 'replace nameserver',
    before: domain,
    after: withNameserver(domain, replacement),
  };
}

function withNameserver(domain: Domain, { current, next }: Replaced): Domain {
  const remaining = domain.nameservers.filter(({ hostname }) => hostname !== current);
  return { ...domain, nameservers: [...remaining, next] };
}

function checkReplacement(domain: Domain, { current, next }: Replaced, policy: Policy): Refusal[] {
  const { nameservers, name, statuses } = domain;
  const isLinked = current === undefined || nameservers.some(({ hostname }) => hostname === current);
  return [
    ...(isLinked ? [] : [refusal('nameserverNotLinked', { object: current })]),
    ...checkDuplicateNameservers([next], nameservers, ['nameservers']),
    ...checkProhibited('update', statuses),
    ...checkGluePresence(next, name, ['next']),
    // A replacement keeps the number, which an earlier policy may have allowed.
    ...(current === undefined ? checkNameserverCount(nameservers.length + 1, policy) : []),
  ];
}

/** An address that this domain cannot publish refuses the whole, as it would refuse the nameserver of one domain. */
const requirePublishable = ({ name }: Domain, { next }: Replaced, policy: Policy): void =>
  requireNone(checkGlueAddresses(next, name, ['next'], policy));

async function requirePossible(
  db: Sql,
  { current, next, mayBeSame = false }: Replaced & Pick<NameserverReplacement, 'mayBeSame'>,
  context: Context,
): Promise<void> {
  if (next.hostname === current && !mayBeSame) refuse('sameNameserver', { at: ['next', 'hostname'] });
  if (current !== undefined) await requireUsedHostname(db, current, context);
}

async function idsOf(db: Sql, names: readonly string[]): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number }>`select id from domains where name = any(${names}::text[])`);
  return rows.map(({ id }) => id);
}

async function requireUsedHostname(db: Sql, hostname: string, { principal }: Context): Promise<void> {
  const used = await db.maybe(sql`
    select from domain_nameservers n join domains d on d.id = n.domain_id
    where n.hostname = ${hostname} and d.registrar_id = ${principal.registrarId} limit 1`);
  if (!used) refuse('bodyObjectMissing', { object: hostname, at: ['current'] });
}
