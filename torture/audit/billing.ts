import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';

/** Invoices, their changes, the messages to services about them, and their payments. */
export async function auditInvoices(db: Sql): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with steps as (
      select c.*, lag(c.to_status) over (partition by c.invoice_number order by c.sequence_number) as previous,
        row_number() over (partition by c.invoice_number order by c.sequence_number desc) as back
      from invoice_changes c),
    shares as (
      select invoice_number, sum(booked)::bigint as booked, count(*) filter (where booked > 0) as payments from payment_shares group by 1)
    select 'a status does not follow the one before' as finding, 'invoice ' || invoice_number as subject, coalesce(previous, 'none') as expected, coalesce(from_status, 'none') as found
    from steps where previous is distinct from from_status
    union all
    select 'an invoice has another status than its last change', 'invoice ' || i.number, s.to_status, i.status
    from invoices i join steps s on s.invoice_number = i.number and s.back = 1 where s.to_status <> i.status
    union all
    select 'a change of an invoice is not delivered exactly once', 'invoice ' || s.invoice_number || ' ' || s.to_status, 'one message to service:' || i.initiator, coalesce(string_agg(d.target, ', '), 'none')
    from steps s join invoices i on i.number = s.invoice_number left join deliveries d on d.id = s.id and d.target like 'service:%'
    where s.from_status is not null and i.initiator <> 'registry' group by s.id, s.invoice_number, s.to_status, i.initiator
    having count(d.id) <> 1 or min(d.target) <> 'service:' || i.initiator
    union all
    select 'a service has a message about no change', 'message ' || d.id, 'a change of an invoice', 'none'
    from deliveries d where d.target like 'service:%' and not exists (select from invoice_changes c where c.id = d.id)
    union all
    select 'a message to a service was given up', 'message ' || id, 'delivered', coalesce(last_error, '') from deliveries where gave_up_at is not null and target like 'service:%'
    union all
    select 'an invoice is paid by several payments', 'invoice ' || invoice_number, '1', payments::text from shares where payments > 1
    union all
    select 'what is booked for an invoice does not fit its status', 'invoice ' || i.number || ' (' || i.status || ')',
      case when i.status = 'paid' then 'from 1 to ' || i.amount else '0' end, coalesce(s.booked, 0)::text
    from invoices i left join shares s on s.invoice_number = i.number
    where i.kind <> 'bulk' and not i.imported
      and case when i.status = 'paid' then coalesce(s.booked, 0) not between 1 and i.amount else coalesce(s.booked, 0) <> 0 end
    union all
    select 'a paid reservation is not granted, or an unpaid one is', 'invoice ' || i.number || ' (' || i.status || ')',
      case i.status when 'paid' then 'granted' when 'refunded' then 'granted and released' else 'neither' end,
      concat_ws(' ', case when v.granted_at is not null then 'granted' end, case when v.released_at is not null then 'released' end)
    from reservations v join invoices i on i.number = v.invoice_number
    where (v.granted_at is not null, v.released_at is not null) <> (i.status in ('paid', 'refunded'), i.status = 'refunded')`);
}

/** Our books against those of the provider. Held payments are left out, and counted by the caller. */
export async function auditPayments(db: Sql): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with theirs as (
      select payment_reference as reference, initial_amount, standing_amount, payment_state as state,
        case when payment_state in ('settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back') then standing_amount else 0 end as stands
      from provider_simulator.payments),
    held as (select distinct payment_reference as reference from held_payments where closed_at is null),
    refunded as (select payment_reference as reference, sum(amount)::bigint as amount from refunds where state = 'done' group by 1)
    select 'what stands at the provider is not what is booked' as finding, 'payment ' || t.reference as subject,
      t.state || ' ' || t.stands as expected, coalesce(p.state || ' ' || p.booked || ', ' || p.returned_externally || ' returned externally', 'unknown to us') as found
    from theirs t left join payments p on p.reference = t.reference
    where t.stands - coalesce(p.returned_externally, 0) <> coalesce(p.booked, 0) and not exists (select from held h where h.reference = t.reference)
    union all
    select 'we know a payment that the provider does not', 'payment ' || p.reference, 'none', coalesce(p.state, 'no state')
    from payments p where not p.external and p.booked > 0 and not exists (select from theirs t where t.reference = p.reference)
    union all
    select 'money that no invoice took has not gone back', 'payment ' || p.reference, '0', p.surplus::text
    from payments p where p.surplus > 0 and not exists (select from held h where h.reference = p.reference)
    union all
    select 'more went back by our orders than is missing', 'payment ' || r.reference, 'at most ' || (t.initial_amount - t.standing_amount), r.amount::text
    from refunded r join theirs t on t.reference = r.reference where r.amount > t.initial_amount - t.standing_amount
    union all
    select 'an order to pay back was carried out and is not known as done', 'refund ' || r.id, 'done', r.state
    from refunds r where r.state <> 'done' and exists (select from provider_simulator.nonces n where n.nonce = r.nonce::text)`);
}
