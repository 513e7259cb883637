import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import { PLANNED_ONCE, type Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inPrimaryListTurn } from '../../list-turns.ts';
import type { Context } from '../../operation.ts';
import { runRegistryTransaction } from '../../run-registry-operation.ts';
import type { Domain } from '../domain.ts';
import { refusal } from '../rules/domain-refusals.ts';
import { checkProhibited } from '../rules/domain-statuses.ts';
import {
  checkDuplicateNameservers,
  checkGlue,
  checkNameserverCount,
  type Nameserver,
} from '../rules/parse-nameservers.ts';
import { type BulkFinding, findEach, readNamed } from './bulk-findings.ts';
import { changeEach, type RowResult } from './row-results.ts';

/** What the nameservers of many domains become, each list as a whole, so that none is delegated to old and new ones. */
export type NameserverListChange = {
  /** All, for a whole new list. Where others are added, a domain that has none of these is refused. */
  readonly remove: 'all' | readonly string[];
  /** A host that the domain has already gets these addresses. */
  readonly add: readonly Nameserver[];
};

type Listed = NameserverListChange & { readonly names: readonly string[] };
/** Changes the nameservers of the named domains; each succeeds or fails by itself. */
export const changeNameserverLists = (
  database: Database,
  listed: Listed,
  context: Context,
): Promise<Outcome<readonly RowResult[]>> =>
  runRegistryTransaction(database, context, (db) => changeListsOf(db, listed, context), PLANNED_ONCE);

/** What would become of each of these domains; one that is as it shall be is the same before and after. */
export function previewNameserverLists(
  database: Database,
  listed: Listed,
  context: Context,
): Promise<BulkFinding[]> {
  requirePossible(listed, context.policy);
  return inPrimaryListTurn(database, context.principal, (db) => findChanges(db, listed, context));
}

/** The same in a transaction of the caller, in the order of the names. */
export async function changeListsOf(
  db: Sql,
  { names, ...change }: Listed,
  context: Context,
): Promise<RowResult[]> {
  requirePossible(change, context.policy);
  const each = {
    operation: 'update',
    check: (before: Domain) => checkListChange(before, change, context.policy),
    change: (before: Domain) => withNameserverList(before, change),
  };
  return changeEach(db, names, each, context);
}

async function findChanges(db: Sql, { names, ...change }: Listed, context: Context): Promise<BulkFinding[]> {
  const decision = {
    check: (domain: Domain) => checkListChange(domain, change, context.policy),
    change: (domain: Domain) => ({ after: withNameserverList(domain, change) }),
  };
  return findEach(names, await readNamed(db, names, context), decision, context);
}

/** What no domain can have refuses the whole. */
function requirePossible({ remove, add }: NameserverListChange, policy: Policy): void {
  requireNone([
    ...checkDuplicateNameservers(add, [], ['add', 'nameservers']),
    ...(remove === 'all' ? checkNameserverCount(add.length, policy) : []),
  ]);
}

/** The domain itself where nothing would be different. */
export function withNameserverList(domain: Domain, { remove, add }: NameserverListChange): Domain {
  const { nameservers: present } = domain;
  const added = new Set(add.map(({ hostname }) => hostname));
  const removed = new Set(remove === 'all' ? present.map(({ hostname }) => hostname) : remove);
  const kept = present.filter(({ hostname }) => !removed.has(hostname) && !added.has(hostname));
  const nameservers = [...kept, ...add];
  return areSame(present, nameservers) ? domain : { ...domain, nameservers };
}

function areSame(some: readonly Nameserver[], others: readonly Nameserver[]): boolean {
  const linesOf = (hosts: readonly Nameserver[]) =>
    hosts
      .map(({ hostname, ipv4, ipv6 }) => [hostname, ...[...ipv4, ...ipv6].toSorted()].join(' '))
      .toSorted()
      .join('\n');
  return linesOf(some) === linesOf(others);
}

export function checkListChange(domain: Domain, change: NameserverListChange, policy: Policy): Refusal[] {
  const after = withNameserverList(domain, change);
  if (after === domain) return [];
  const { remove, add } = change;
  const isReplaced = remove !== 'all' && remove.length > 0 && add.length > 0;
  const hasNone = isReplaced && !domain.nameservers.some(({ hostname }) => remove.includes(hostname));
  return [
    ...(hasNone ? [refusal('nameserverNotLinked', { object: remove.join(', ') })] : []),
    ...checkProhibited('update', domain.statuses),
    ...checkGlue(add, domain.name, ['add', 'nameservers'], policy),
    ...checkNameserverCount(after.nameservers.length, policy),
  ];
}
