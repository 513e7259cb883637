import { type Charge, canPay, type FundsRow, fundsOf, readFunds } from '../../ledger/charge.ts';
import { storeAnswer } from '../../operations/idempotency.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { authorOf } from '../history/history.ts';
import type { Operation, Plan } from '../operation.ts';
import { priceOf } from '../prices/prices.ts';
import { refusal } from '../refusals.ts';
import type { Domain } from './domain.ts';
import { type DomainRow, domainValue, readDomain } from './load.ts';
import { dayOf } from './periods.ts';
import { type DomainChange, persistChanges } from './persist.ts';
import { checkRenewal, renewedDomain } from './renew.ts';

export type BulkRenewal = { readonly names: readonly string[]; readonly months: number };
type Priced = { readonly domain: Domain; readonly price: bigint | undefined };
type Loaded = { readonly domains: ReadonlyMap<string, Priced>; readonly funds: FundsRow };
type Failure = { readonly name: string; readonly index: number; readonly refusal: Refusal };
type BulkPlan = Plan & { readonly changes: readonly DomainChange[] };

/** All or none: one load, the same decision for each domain, one write. */
export const renewDomains: Operation<BulkRenewal, Loaded, BulkPlan> = {
  bulk: true,

  async load(db, { names, months }, { principal, now, policy }) {
    const rows = await db.rows(sql<{ domain: DomainRow; price: string | null }>`
      select ${domainValue(now)} as domain, ${priceOf(sql`d.zone`, 'renew', months, dayOf(now, policy))} as price
      from domains d where d.name = any(${names as string[]}::text[])`);
    // Sequential: a registrar's turn on the list connections covers one statement at a time.
    const money = await db.one(sql<{ funds: FundsRow }>`select ${fundsOf(principal.registrarId)} as funds`);
    const domains = rows.map(({ domain, price }) => ({
      domain: readDomain(domain),
      price: price === null ? undefined : BigInt(price),
    }));
    return {
      domains: new Map(domains.map((item) => [item.domain.name, item])),
      funds: money.funds,
    };
  },

  decide({ domains, funds }, { names, months }, context) {
    const failures: Failure[] = [];
    const changes: (DomainChange & { charge: Charge })[] = [];
    for (const [index, name] of names.entries()) {
      const found = domains.get(name);
      const [first] = checkOne(found, name);
      if (first) failures.push({ name, index, refusal: first });
      else if (found?.price !== undefined)
        changes.push({
          operation: 'renew',
          before: found.domain,
          after: renewedDomain(found.domain, months, context),
          charge: { amount: found.price, operation: 'renew', description: `Renew ${name}` },
        });
    }
    function checkOne(found: Priced | undefined, name: string): Refusal[] {
      if (!found) return [refusal('bodyObjectMissing', { object: name })];
      if (found.domain.registrarId !== context.principal.registrarId) return [refusal('notSponsor')];
      return checkRenewal(found.domain, months, found.price, context);
    }
    requireNone(listed(failures));
    const total = changes.reduce((sum, { charge }) => sum + charge.amount, 0n);
    if (!canPay(readFunds(funds), total))
      requireNone(listed(names.map((name, index) => ({ name, index, refusal: refusal('noFunds') }))));
    return {
      answer: { updated_domains: names },
      charge: { amount: total, operation: 'renew', description: 'Renew' },
      changes,
    };
  },

  persist: (db, { answer, changes }, context) =>
    persistChanges(db, changes, authorOf(context), storeAnswer(answer, context)),
};

/** So many failed domains are named in the message; `errors` lists more. */
const MAX_NAMED = 10;

/** One refusal per failed domain; the first one carries the message of the answer, which names the domains. */
function listed(failures: readonly Failure[]): Refusal[] {
  const texts = failures.slice(0, MAX_NAMED).map(({ name, refusal: { message } }) =>
    // Some messages contain the name already.
    message.includes(name) ? message : `${name}: ${message}`,
  );
  const rest = failures.length - texts.length;
  const summary = texts.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  return failures.map(({ index, refusal: item }, place) => ({
    ...item,
    field: `domains.${index}`,
    ...(place === 0 && { summary }),
  }));
}
