import { chargeFor } from '../../ledger/charge.ts';
import { canPay, type FundsRow, fundsOf, readFunds } from '../../ledger/funds.ts';
import { actorOf } from '../actor.ts';
import { mustHave } from '../history/record.ts';
import { keepAnswer } from '../idempotency.ts';
import type { Operation, Plan } from '../operation.ts';
import { priceOf } from '../prices/find.ts';
import { type Refusal, Refused, refusal } from '../refusals.ts';
import { type Domain, shownInHistory } from './domain.ts';
import { domainValue, readDomain } from './load.ts';
import { dayOf } from './periods.ts';
import { refuseRenewal, renewedDomain } from './renew.ts';

export type BulkRenewal = { readonly names: readonly string[]; readonly months: number };
type Priced = { readonly domain: Domain; readonly price: bigint | undefined };
type Loaded = { readonly domains: ReadonlyMap<string, Priced>; readonly funds: FundsRow };
type Failure = { readonly name: string; readonly refusal: Refusal };
type BulkPlan = Plan & { readonly changes: readonly { before: Domain; after: Domain; price: bigint }[] };

/** All or none: one load, the same decision for each domain, one write. */
export const renewDomains: Operation<BulkRenewal, Loaded, BulkPlan> = {
  bulk: true,

  async load(sql, { names, months }, { principal, now, policy }) {
    const [rows, [money]] = await Promise.all([
      sql<{ domain: Parameters<typeof readDomain>[0]; price: string | null }[]>`
        select ${domainValue(sql, now)} as domain, ${priceOf(sql, sql`d.zone`, 'renew', months, dayOf(now, policy))} as price
        from domains d where d.name = any(${names as string[]}::text[])`,
      sql<{ funds: FundsRow }[]>`select ${fundsOf(sql, principal.registrarId)} as funds`,
    ]);
    const domains = rows.map(({ domain, price }) => ({
      domain: readDomain(domain),
      price: price === null ? undefined : BigInt(price),
    }));
    return {
      domains: new Map(domains.map((item) => [item.domain.name, item])),
      funds: money?.funds ?? { balance: '0', debt: '0' },
    };
  },

  decide({ domains, funds }, { names, months }, context) {
    const failures: Failure[] = [];
    const changes: { before: Domain; after: Domain; price: bigint }[] = [];
    for (const name of names) {
      const found = domains.get(name);
      const [first] = refuseOne(found, name, months);
      if (first) failures.push({ name, refusal: first });
      else if (found?.price !== undefined)
        changes.push({
          before: found.domain,
          after: renewedDomain(found.domain, months, context),
          price: found.price,
        });
    }
    function refuseOne(found: Priced | undefined, name: string, period: number): Refusal[] {
      if (!found)
        return [{ ...refusal('bodyObjectMissing', { object: name }), message: 'Object does not exist' }];
      if (found.domain.registrarId !== context.principal.registrarId) return [refusal('notSponsor')];
      return refuseRenewal(found.domain, period, found.price, context);
    }
    if (failures[0]) throw new Refused(summarise(failures));
    const total = changes.reduce((sum, { price }) => sum + price, 0n);
    if (!canPay(readFunds(funds), total)) {
      throw new Refused(summarise(names.map((name) => ({ name, refusal: refusal('noFunds') }))));
    }
    return {
      answer: { updated_domains: names },
      charge: { amount: total, operation: 'renew', description: 'Renew' },
      changes: changes.toSorted((one, other) => one.before.id - other.before.id),
    };
  },

  async persist(sql, { answer, changes }, context) {
    const { principal, now, requestId } = context;
    await sql`
      with ${keepAnswer(sql, answer, context)},
      wanted as materialized (
        select w.* from kept cross join unnest(
          ${changes.map(({ before }) => before.id)}::bigint[], ${changes.map(({ before }) => before.version)}::int[],
          ${changes.map(({ after }) => after.expireTime.toISOString())}::timestamptz[], ${changes.map(({ after }) => JSON.stringify(after.statuses))}::text[],
          ${changes.map(({ before }) => JSON.stringify(shownInHistory(before)))}::text[], ${changes.map(({ after }) => JSON.stringify(shownInHistory(after)))}::text[],
          ${changes.map(({ price }) => price.toString())}::bigint[]) as w(id, version, expire_time, statuses, before, after, price)),
      locked as materialized (
        select d.id from domains d join wanted w on w.id = d.id and w.version = d.version order by d.id for update of d),
      changed as (
        update domains d set expire_time = w.expire_time, statuses = w.statuses::jsonb, outzone_at = null, delete_date = null, updated_at = ${now}
        from wanted w join locked on locked.id = w.id
        where d.id = w.id and d.version = w.version
        returning d.id, d.name, w.before, w.after, w.price),
      recorded as (
        insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, before, after)
        select ${now}, 'domain', id, name, 'renew', ${principal.registrarId}, ${actorOf(principal)}, ${requestId}, before::jsonb, after::jsonb
        from changed order by id returning id, object_id),
      priced as (
        select recorded.id as history_id, ${principal.registrarId}::bigint as registrar_id, changed.price as amount, 'Renew ' || changed.name as description,
          ${actorOf(principal)} as actor, ${requestId} as request_id, ${now}::timestamptz as at
        from recorded join changed on changed.id = recorded.object_id),
      ${chargeFor(sql, 'renew')}
      ${mustHave(sql, 'charged', changes.length)}`;
  },
};

/** Code and kind are the first one's; the message names every domain that failed, once. */
function summarise(failures: readonly Failure[]): Refusal {
  const [first] = failures;
  if (!first) throw new Error('nothing failed');
  const message = failures.map(({ name, refusal: item }) => `${name}: ${item.message}`).join('; ');
  return { ...first.refusal, message, field: 'domains' };
}
