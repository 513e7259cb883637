import { type Charge, chargeFor } from '../../ledger/charge.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { actorOf } from '../actor.ts';
import { mustHave, recordHistory } from '../history/record.ts';
import { keepAnswer } from '../idempotency.ts';
import type { Context, Plan } from '../operation.ts';
import { type Domain, shownInHistory } from './domain.ts';
import { addLinks, linksBeyond, removeLinks } from './links.ts';

/** What the registrant is asked to confirm; see registrant_requests. */
export type RegistrantRequest =
  | {
      readonly kind: 'registrant change';
      readonly newRegistrantId: number;
      readonly newTransferCode: string | undefined;
    }
  | { readonly kind: 'deletion' };

export type DomainChange = Plan & {
  readonly operation: string;
  readonly before: Domain;
  readonly after: Domain;
  readonly request?: RegistrantRequest;
};

/** Writes whatever differs between before and after, with history, charge and request, as one statement. */
export async function persistChange(sql: Sql, change: DomainChange, context: Context): Promise<void> {
  const { answer, operation, before, after, charge, request } = change;
  await sql`
    with ${keepAnswer(sql, answer, context)},
    changed as (
      update domains d set registrant_id = ${after.registrant.id}, expire_time = ${after.expireTime}, outzone_at = ${after.outzoneAt},
        delete_date = ${after.deleteDate}::date, statuses = ${sql.json(after.statuses)}, transfer_code = ${after.transferCode}, updated_at = ${context.now}
      from kept where d.id = ${before.id} and d.version = ${before.version}
      returning d.id, d.name),
    ${removeLinks(sql, [linksBeyond(before, after)])}
    ${addLinks(sql, [linksBeyond(after, before)])}
    ${request ? askRegistrant(sql, request, context) : sql``}
    ${recordHistory(sql, { objectKind: 'domain', operation, before: shownInHistory(before), after: shownInHistory(after) }, context)}
    ${charge ? sql`, ${chargeOne(sql, charge, context)} ${mustHave(sql, 'charged')}` : mustHave(sql, 'recorded')}`;
}

function chargeOne(
  sql: Sql,
  { amount, operation, description }: Charge,
  { principal, requestId, now }: Context,
): Fragment {
  return sql`
    priced as (
      select id as history_id, ${principal.registrarId}::bigint as registrar_id, ${amount.toString()}::bigint as amount, ${description} as description,
        ${actorOf(principal)} as actor, ${requestId} as request_id, ${now}::timestamptz as at
      from recorded),
    ${chargeFor(sql, operation)}`;
}

function askRegistrant(sql: Sql, request: RegistrantRequest, { principal, now, policy }: Context): Fragment {
  const wanted = request.kind === 'registrant change' ? request : undefined;
  return sql`asked as (
    insert into registrant_requests (domain_id, kind, new_registrant_id, new_transfer_code, registrar_id, requested_by, requested_at, lapses_at)
    select changed.id, ${request.kind}, ${wanted?.newRegistrantId ?? null}::bigint, ${wanted?.newTransferCode ?? null}, ${principal.registrarId},
      ${actorOf(principal)}, ${now}, ${now}::timestamptz + ${policy.domains.confirmationHours} * interval '1 hour'
    from changed),`;
}
