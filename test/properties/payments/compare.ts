import { expect } from 'vitest';
import { checkLedger } from '../../../src/ledger/check-ledger.ts';
import { sql } from '../../support/sql.ts';
import { isFinal, total } from './books.ts';
import { type Journal, registrarCodes } from './journal.ts';
import type { PaymentWorld } from './world.ts';

type Found = {
  readonly invoices: unknown;
  readonly payments: unknown;
  readonly refunds: unknown;
  readonly holds: unknown;
  readonly accounts: Record<string, string>;
  readonly registrars: unknown;
  readonly news: unknown;
};

/** Everything on which the books and the product must agree. */
export async function compare(journal: Journal, world: PaymentWorld): Promise<void> {
  journal.noteRefusals(await world.refundRows());
  expect(await found(world)).toEqual(expected(journal));
}

async function found({ owner }: PaymentWorld): Promise<Found> {
  return owner.one(sql<Found>`
    select
      (select coalesce(json_agg(json_build_object('number', number, 'kind', kind, 'amount', amount::text, 'net', net::text, 'status', status, 'paidBy', paid_by,
        'changes', (select json_agg(concat(from_status, '-', to_status) order by sequence_number) from invoice_changes c where c.invoice_number = i.number)) order by number), '[]')
        from invoices i) as invoices,
      (select coalesce(json_agg(json_build_object('reference', reference, 'elsewhere', external, 'booked', booked::text, 'surplus', surplus::text,
        'shares', (select coalesce(json_agg(json_build_object('number', invoice_number, 'booked', s.booked::text) order by invoice_number), '[]')
          from payment_shares s where s.payment_reference = p.reference and s.booked > 0)) order by reference collate "C"), '[]')
        from payments p where state is not null) as payments,
      (select coalesce(json_agg(json_build_object('id', id, 'reference', payment_reference, 'invoice', invoice_number, 'amount', amount::text, 'state', state) order by id), '[]')
        from refunds) as refunds,
      (select coalesce(json_agg(concat(payment_reference, ' ', kind) order by concat(payment_reference, ' ', kind) collate "C"), '[]')
        from held_payments where closed_at is null) as holds,
      (select json_object_agg(kind, (select coalesce(sum(case when e.credit_account = a.id then e.amount else -e.amount end), 0)
          from ledger_entries e where a.id in (e.credit_account, e.debit_account))::text)
        from ledger_accounts a where registrar_id is null) as accounts,
      (select json_object_agg(r.code || ' ' || a.kind, a.balance::text) from ledger_accounts a join registrars r on r.id = a.registrar_id) as registrars,
      (select coalesce(json_agg(concat(d.target, ' ', d.invoice_number, ' ', body::json->>'previous_status', '-', body::json->>'status', case when c.id is null then ' of no change' end) order by d.invoice_number, d.sequence_number), '[]')
        from deliveries d left join invoice_changes c on c.id = d.id) as news`);
}

function expected(journal: Journal): Found {
  const invoices = [...journal.invoices.values()].toSorted((a, b) => a.number - b.number);
  const payments = [...journal.payments.values()].toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
  const shares = payments.flatMap((payment) => [...payment.shares]);
  const net = shares.map(([invoice, booked]) => ({ invoice, net: invoice.netOf(booked), booked }));
  const spent = total([...journal.spent.values()]);
  const sum = (account: bigint) => String(account);
  return {
    invoices: invoices.map(({ number, kind, amount, net, status, paidBy, changes }) => ({
      number,
      kind,
      amount: sum(amount),
      net: sum(net),
      status,
      paidBy,
      changes,
    })),
    payments: payments.map(({ reference, elsewhere, booked, surplus, shares }) => ({
      reference,
      elsewhere,
      booked: sum(booked),
      surplus: sum(surplus),
      shares: [...shares]
        .filter(([, part]) => part > 0n)
        .map(([invoice, part]) => ({ number: invoice.number, booked: sum(part) }))
        .toSorted((a, b) => a.number - b.number),
    })),
    refunds: journal.refunds
      .map(({ id, payment, invoice, amount, state }) => ({
        id: id ?? 0,
        reference: payment.reference,
        invoice: invoice?.number ?? null,
        amount: sum(amount),
        state,
      }))
      .toSorted((a, b) => a.id - b.id),
    holds: payments
      .flatMap(({ reference, holds }) => [...holds].map((kind) => `${reference} ${kind}`))
      .toSorted((a, b) => (a < b ? -1 : 1)),
    accounts: {
      opening: '0',
      corrections: '0',
      revenue: sum(spent),
      payments: sum(-total(payments.map(({ booked }) => booked))),
      surplus: sum(total(payments.map(({ surplus }) => surplus))),
      sales: sum(total(net.filter(({ invoice }) => !invoice.registrar).map((each) => each.net))),
      vat: sum(total(net.map((each) => each.booked - each.net))),
    },
    registrars: Object.fromEntries(
      registrarCodes.flatMap((code) => {
        const position = journal.position(code);
        return [
          [`${code} registrar`, sum(position > 0n ? position : 0n)],
          [`${code} debt`, sum(position < 0n ? -position : 0n)],
        ];
      }),
    ),
    news: invoices
      .filter(({ initiator }) => initiator !== 'registry')
      .flatMap(({ number, initiator, changes }) =>
        changes.slice(1).map((change) => `service:${initiator} ${number} ${change}`),
      ),
  };
}

/** For this long a payer may return to the link of a failed payment. */
const ASKED_AFTER_FAILING_MS = 3 * 86_400_000;

/** Invariants once nothing is pending any more. */
export async function compareWithProvider(
  journal: Journal,
  world: PaymentWorld,
  quietSince: number,
): Promise<void> {
  const rows = await world.owner.rows(sql<{ reference: string; at: Date }>`
    select reference, created_at as at from payments`);
  const known = new Map(rows.map(({ reference, at }) => [reference, at.getTime()]));
  for (const record of world.provider.payments.values()) {
    const { reference, state, standing, version, calledAbout, undisturbed, refunded, initial } = record;
    const payment = journal.payments.get(reference);
    const begun = known.get(reference);
    if (begun === undefined) continue;
    const payableAgain = payment?.oneoff === true && quietSince - begun < ASKED_AFTER_FAILING_MS;
    const mayBeMissed = payment && isFinal(payment.state, payableAgain);
    if (calledAbout !== version && mayBeMissed) continue;
    const facts = { reference, state, standing };
    expect({ ...facts, state: payment?.state, standing: payment?.standing }).toEqual(facts);
    if (payment?.stands === undefined || payment.wasHeld || payment.returned > 0n) continue;
    expect({ reference, booked: payment.booked }).toEqual({ reference, booked: payment.stands });
    if (!undisturbed) continue;
    const paidBack = journal.refunds.filter((each) => each.payment === payment && each.state === 'done');
    expect({ reference, refunded }).toEqual({
      reference,
      refunded: total(paidBack.map(({ amount }) => amount)),
    });
    if (state === 'settled' || state === 'refunded') expect(payment.booked).toBe(initial - refunded);
  }
  expect(journal.refunds.filter(({ state }) => state === 'waiting')).toEqual([]);
  expect(await checkLedger(world.owner)).toEqual([]);
}
