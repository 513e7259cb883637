import { type FundsRow, fundsOf, readFunds } from '../../ledger/charge.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Context, Operation, Request } from '../operation.ts';
import { checkFunds } from '../prices/check-funds.ts';
import { checkAgreedPrice, priceOf } from '../prices/prices.ts';
import { changed, type Domain, type WholeDomain } from './domain.ts';
import { refusal } from './rules/domain-refusals.ts';
import { withoutHold } from './rules/hold-causes.ts';
import {
  type DomainRow,
  domainValueWithIds,
  type FoundDomain,
  readDomain,
  requireSponsoredDomain,
  wasRemoved,
} from './readings/load-domain.ts';
import { dayOf, expiryLimit, renewedExpiry } from './rules/periods.ts';
import { type DomainChangePlan, persistBatch, persistChange } from './persist-domains.ts';
import { checkProhibited, withoutStatus } from './rules/domain-statuses.ts';

export type Renewal = { readonly name: string; readonly months: number; readonly expDate: string };
const DAY_MS = 86_400_000;
type Loaded = FoundDomain & { readonly price: string | null; readonly funds: FundsRow };

export const renewDomain: Operation<Renewal, Loaded, DomainChangePlan<WholeDomain>> = {
  async load(db, input, context) {
    const [loaded] = await loadAll(db, [{ input, context }]);
    if (!loaded) throw new Error('nothing was loaded for a request');
    return loaded;
  },

  decide(loaded, { months, expDate }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const price = loaded.price === null ? undefined : BigInt(loaded.price);
    const refusals = [
      ...checkRenewal(domain, months, price, context),
      ...(expDate === dayOf(domain.expireTime, context.policy)
        ? []
        : [refusal('expiryMismatch', { at: ['expiry'] })]),
      ...(price === undefined
        ? []
        : [...checkAgreedPrice(price, context), ...checkFunds(price, readFunds(loaded.funds))]),
    ];
    requireNone(refusals);
    const charged = price ?? 0n;
    const after = renewedDomain(domain, months, context);
    return {
      answer: { ...changed(domain), domain: after, updatedAt: context.now, charged },
      operation: 'renew',
      before: domain,
      after,
      charge: { amount: charged, operation: 'renew', description: `Renew ${domain.name}` },
    };
  },

  persist: persistChange,
  batch: { load: loadAll, persist: persistBatch },
};

/** All checks of a renewal except funds; shared by single and bulk renewal. */
export function checkRenewal(
  domain: Domain,
  months: number,
  price: Cents | undefined,
  context: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const { now, policy } = context;
  return [
    ...checkRenewalOpen(domain, context),
    ...(price === undefined
      ? [refusal('noPrice', { at: ['period'] })]
      : checkExpiry(renewedExpiry(domain.expireTime, months, policy), now, policy)),
  ];
}

/** What forbids every renewal, whatever its period. */
export function checkRenewalOpen(
  { statuses, expireTime }: Pick<Domain, 'statuses' | 'expireTime'>,
  { now, policy }: Pick<Context, 'now' | 'policy'>,
): Refusal[] {
  const { renewalWindowDays: days } = policy.domains;
  const opensAt = days === undefined ? undefined : expireTime.getTime() - days * DAY_MS;
  return [
    ...checkProhibited('renew', statuses),
    ...(opensAt !== undefined && now.getTime() < opensAt
      ? [refusal('renewalTooEarly', { days: days ?? 0 })]
      : []),
  ];
}

/** Within the limit, and in the future: a domain that stays expired would be paid for and still be deleted. */
function checkExpiry(expiry: Date, now: Date, policy: Policy): Refusal[] {
  const limit = expiryLimit(now, policy);
  if (expiry >= limit) return [refusal('expiryTooFar', { limit: dayOf(limit, policy) })];
  return expiry > now ? [] : [refusal('expiryPast', { day: dayOf(expiry, policy) })];
}

/** Renewal also undoes a pending deletion. A serverHold that has another cause too stays. */
export function renewedDomain(domain: Domain, months: number, { policy }: Context): Domain {
  const freed = withoutHold(domain, 'expiry');
  return {
    ...freed,
    statuses: withoutStatus(freed.statuses, 'expired', 'pendingDelete', 'pendingDeleteConfirmation'),
    outzoneAt: null,
    deleteDate: null,
    remindedAt: null,
    expireTime: renewedExpiry(domain.expireTime, months, policy),
  };
}

type Row = Pick<Loaded, 'gone' | 'funds'> & {
  readonly domain: DomainRow | null;
  readonly price: string | null;
};

/** One row per request, in their order. */
async function loadAll(db: Sql, requests: readonly Request<Renewal>[]): Promise<Loaded[]> {
  const rows = await db.rows(sql<Row>`
    select found.domain, found.price, ${wasRemoved(sql`asked.name`, sql`asked.registrar_id`)} as gone, ${fundsOf(sql`asked.registrar_id`)} as funds
    from unnest(${requests.map(({ input }) => input.name)}::text[], ${requests.map(({ input }) => input.months)}::int[],
      ${requests.map(({ context }) => context.principal.registrarId)}::bigint[], ${requests.map(({ context }) => context.now.toISOString())}::timestamptz[],
      ${requests.map(({ context: { now, policy } }) => dayOf(now, policy))}::date[])
      with ordinality as asked(name, months, registrar_id, at, today, position)
    left join lateral (
      select ${domainValueWithIds(sql`asked.at`)} as domain, ${priceOf(sql`d.zone`, 'renew', sql`asked.months`, sql`asked.today`)} as price
      from domains d where d.name = asked.name) as found on true
    order by asked.position`);
  return rows.map((row) => ({ ...row, domain: row.domain ? readDomain(row.domain) : undefined }));
}
