import { canPay, type FundsRow, fundsOf, readFunds } from '../../ledger/charge.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Context, Operation } from '../operation.ts';
import { checkAgreedPrice, priceOf } from '../prices/prices.ts';
import { refusal } from '../refusals.ts';
import { named } from './change.ts';
import type { Domain } from './domain.ts';
import { type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { dayOf, expiryLimit, renewedExpiry } from './periods.ts';
import { type DomainChangePlan, persistChange } from './persist.ts';
import { checkProhibited, withoutStatus } from './statuses.ts';

export type Renewal = { readonly name: string; readonly months: number; readonly expDate: string };
const DAY_MS = 86_400_000;
type Loaded = FoundDomain & { readonly price: string | null; readonly funds: FundsRow };

export const renewDomain: Operation<Renewal, Loaded, DomainChangePlan> = {
  async load(db, { name, months }, context) {
    const [found, money] = await Promise.all([
      loadDomain(db, name, context),
      loadPriceAndFunds(db, name, months, context),
    ]);
    return { ...found, ...money };
  },

  decide(loaded, { months, expDate }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const price = loaded.price === null ? undefined : BigInt(loaded.price);
    const refusals = [
      ...checkRenewal(domain, months, price, context),
      ...(expDate === dayOf(domain.expireTime, context.policy)
        ? []
        : [refusal('expiryMismatch', { field: 'renews.exp_date' })]),
      ...(price === undefined ? [] : checkAgreedPrice(price, context)),
      ...(price !== undefined && !canPay(readFunds(loaded.funds), price) ? [refusal('noFunds')] : []),
    ];
    requireNone(refusals);
    return {
      answer: named(domain),
      operation: 'renew',
      before: domain,
      after: renewedDomain(domain, months, context),
      charge: { amount: price ?? 0n, operation: 'renew', description: `Renew ${domain.name}` },
    };
  },

  persist: persistChange,
};

/** All checks of a renewal except funds; shared by single and bulk renewal. */
export function checkRenewal(
  domain: Domain,
  months: number,
  price: Cents | undefined,
  { now, policy }: Context,
): Refusal[] {
  const { renewalWindowDays: days } = policy.domains;
  const opensAt = days === undefined ? undefined : domain.expireTime.getTime() - days * DAY_MS;
  return [
    ...checkProhibited('renew', domain.statuses),
    ...(opensAt !== undefined && now.getTime() < opensAt
      ? [refusal('renewalTooEarly', { days: days ?? 0 })]
      : []),
    ...(price === undefined
      ? [refusal('noPrice', { field: 'renews.period' })]
      : checkExpiry(renewedExpiry(domain.expireTime, months, policy), now, policy)),
  ];
}

/** Within the limit, and in the future: a domain that stays expired would be paid for and still be deleted. */
function checkExpiry(expiry: Date, now: Date, policy: Policy): Refusal[] {
  const limit = expiryLimit(now, policy);
  if (expiry >= limit) return [refusal('expiryTooFar', { limit: dayOf(limit, policy) })];
  return expiry > now ? [] : [refusal('expiryPast', { day: dayOf(expiry, policy) })];
}

/** Renewal also undoes a pending deletion. A serverHold with a note has another reason and stays. */
export function renewedDomain(domain: Domain, months: number, { policy }: Context): Domain {
  const remaining = withoutStatus(domain.statuses, 'expired', 'pendingDelete', 'pendingDeleteConfirmation');
  const statuses = remaining.serverHold === '' ? withoutStatus(remaining, 'serverHold') : remaining;
  return {
    ...domain,
    statuses,
    outzoneAt: null,
    deleteDate: null,
    remindedAt: null,
    expireTime: renewedExpiry(domain.expireTime, months, policy),
  };
}

async function loadPriceAndFunds(
  db: Sql,
  name: string,
  months: number,
  { principal, now, policy }: Context,
): Promise<Pick<Loaded, 'price' | 'funds'>> {
  return db.one(sql<Pick<Loaded, 'price' | 'funds'>>`
    select (select ${priceOf(sql`d.zone`, 'renew', months, dayOf(now, policy))} from domains d where d.name = ${name}) as price,
      ${fundsOf(principal.registrarId)} as funds`);
}
