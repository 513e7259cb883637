import { type FundsRow, fundsOf, readFunds } from '../../../ledger/charge.ts';
import { storeAnswer } from '../../../operations/stored-answers.ts';
import { requireNone } from '../../../operations/refusal.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Cents } from '../../../platform/values/money.ts';
import { authorOf } from '../../history/read-history.ts';
import { inPrimaryListTurn } from '../../list-turns.ts';
import type { Context, Operation, Plan } from '../../operation.ts';
import { checkFunds } from '../../prices/check-funds.ts';
import { checkAgreedPrice, priceOf } from '../../prices/prices.ts';
import { runRegistryOperation } from '../../run-registry-operation.ts';
import { type BulkFinding, findEach, listFailures, requireAll } from './bulk-findings.ts';
import type { Domain } from '../domain.ts';
import { type DomainRow, domainValue, lockRows, readDomain } from '../readings/load-domain.ts';
import { dayOf } from '../rules/periods.ts';
import { type DomainChange, persistChanges } from '../persist-domains.ts';
import { checkRenewal, renewedDomain } from '../renew-domain.ts';
import type { RowResult } from './row-results.ts';

export type BulkRenewal = { readonly names: readonly string[]; readonly months: number };
type Loaded = {
  readonly domains: ReadonlyMap<string, Domain>;
  readonly prices: ReadonlyMap<string, Cents>;
  readonly funds: FundsRow;
};
/** All of them were renewed. */
export type RenewedDomains = { readonly names: readonly string[] };
type BulkPlan = Plan<RenewedDomains> & { readonly changes: readonly DomainChange[] };

/** All or none: one load, the same decision for each domain, one write. */
export const renewDomains: Operation<BulkRenewal, Loaded, BulkPlan> = {
  async load(db, { names, months }, { principal, now, policy }) {
    const rows = await db.rows(sql<{ domain: DomainRow; price: string | null }>`
      select ${domainValue(now)} as domain, ${priceOf(sql`d.zone`, 'renew', months, dayOf(now, policy))} as price
      from domains d where d.name = any(${names}::text[])`);
    // Sequential: a registrar's turn on the list connections covers one statement at a time.
    const money = await db.one(sql<{ funds: FundsRow }>`select ${fundsOf(principal.registrarId)} as funds`);
    const domains = rows.map(({ domain }) => readDomain(domain));
    return {
      domains: new Map(domains.map((domain) => [domain.name, domain])),
      prices: new Map(
        rows.flatMap(({ domain: { name }, price }) =>
          price === null ? [] : [[name, BigInt(price)] as const],
        ),
      ),
      funds: money.funds,
    };
  },

  decide(loaded, input, context) {
    const findings = findRenewals(loaded, input, context);
    requireAll(findings);
    const changes = findings.flatMap((found): DomainChange[] => {
      if (found.refusal) return [];
      return [renewalOf(found.before, found.after, found.price ?? 0n)];
    });
    const total = changes.reduce((sum, { charge }) => sum + (charge?.amount ?? 0n), 0n);
    requireNone(checkAgreedPrice(total, context));
    const [short] = checkFunds(total, readFunds(loaded.funds));
    if (short) requireNone(listFailures(input.names.map((name, index) => ({ name, index, refusal: short }))));
    return {
      answer: { names: input.names },
      charge: { amount: total, operation: 'renew', description: 'Renew' },
      changes,
    };
  },

  persist: (db, { answer, changes }, context) =>
    persistChanges(db, changes, authorOf(context), storeAnswer(answer, context)),
};

export type AgreedRenewal = { readonly name: string; readonly price: Cents };

/** Each by itself, at the price that was agreed to, as far as the balance goes; in a transaction of the caller. */
export async function renewEachFor(
  db: Sql,
  agreed: readonly (AgreedRenewal & { readonly months: number })[],
  context: Context,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  // All before the first charge: the account is locked last.
  await lockRows(
    db,
    sql`d.name = any(${agreed.map(({ name }) => name)}::text[]) and d.registrar_id = ${context.principal.registrarId}`,
  );
  for (const [months, some] of byPeriod(agreed))
    results.push(...(await renewEach(db, some, months, context)));
  return results;
}

/** Those of one period share their statements. */
function byPeriod<Item extends { readonly months: number }>(items: readonly Item[]): Map<number, Item[]> {
  const found = new Map<number, Item[]>();
  for (const item of items) {
    const others = found.get(item.months);
    if (others) others.push(item);
    else found.set(item.months, [item]);
  }
  return found;
}

/** Domains that are locked already. */
async function renewEach(
  db: Sql,
  agreed: readonly AgreedRenewal[],
  months: number,
  context: Context,
): Promise<RowResult[]> {
  const names = agreed.map(({ name }) => name);
  const loaded = await renewDomains.load(db, { names, months }, context);
  const prices = new Map(agreed.map(({ name, price }) => [name, price]));
  const changes: DomainChange[] = [];
  let funds = readFunds(loaded.funds);
  const results = findRenewals(loaded, { names, months }, context).map((found): RowResult => {
    const { name } = found;
    if (found.refusal) return { name, outcome: 'refused', refusal: found.refusal };
    const { before, after, price = 0n } = found;
    const [wrong] = [
      ...checkAgreedPrice(price, { agreedPrice: prices.get(name) }),
      ...checkFunds(price, funds),
    ];
    if (wrong) return { name, outcome: 'refused', refusal: wrong };
    funds = { ...funds, balance: funds.balance - price };
    changes.push(renewalOf(before, after, price));
    return { name, outcome: 'changed' };
  });
  await persistChanges(db, changes, authorOf(context));
  return results;
}

const renewalOf = (before: Domain, after: Domain, amount: Cents): DomainChange => ({
  operation: 'renew',
  before,
  after,
  charge: { amount, operation: 'renew', description: `Renew ${before.name}` },
});

/** Many rows are loaded in the registrar's list turn, so that short reads are not delayed. */
const loadInTurn = (database: Database, input: BulkRenewal, context: Context): Promise<Loaded> =>
  inPrimaryListTurn(database, context.principal, (db) => renewDomains.load(db, input, context));

export const renewMany = (
  database: Database,
  input: BulkRenewal,
  context: Context,
): Promise<Outcome<RenewedDomains>> => {
  const load = () => loadInTurn(database, input, context);
  return runRegistryOperation(database, { ...renewDomains, load }, input, context);
};

/** What each domain would cost and when it would expire, or why it cannot be renewed; the balance is not considered. */
export async function previewRenewals(
  database: Database,
  input: BulkRenewal,
  context: Context,
): Promise<BulkFinding[]> {
  return findRenewals(await loadInTurn(database, input, context), input, context);
}

/** The same for domains with different periods, in their order. */
export async function previewRenewalsFor(
  database: Database,
  listed: readonly { readonly name: string; readonly months: number }[],
  context: Context,
): Promise<BulkFinding[]> {
  const found = new Map<string, BulkFinding>();
  for (const [months, some] of byPeriod(listed)) {
    const names = some.map(({ name }) => name);
    for (const each of await previewRenewals(database, { names, months }, context))
      found.set(each.name, each);
  }
  return listed.flatMap(({ name }) => found.get(name) ?? []);
}

function findRenewals(
  { domains, prices }: Pick<Loaded, 'domains' | 'prices'>,
  { names, months }: BulkRenewal,
  context: Context,
): BulkFinding[] {
  const decision = {
    check: (domain: Domain) => checkRenewal(domain, months, prices.get(domain.name), context),
    change: (domain: Domain) => ({
      after: renewedDomain(domain, months, context),
      price: prices.get(domain.name) ?? 0n,
    }),
  };
  return findEach(names, domains, decision, context);
}
