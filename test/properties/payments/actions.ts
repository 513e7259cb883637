import { toDecimal } from '../../../src/platform/values/money.ts';
import fc from 'fast-check';
import type { HeldPayment } from '../../../src/billing/payments/list-held-payments.ts';
import { refuse } from '../../../src/registry/registry-refusals.ts';
import { type BookInvoice, type Status, statuses } from './books.ts';
import { dayOf, type Journal, type Label, registrarCodes } from './journal.ts';
import type { Resolution } from './rules.ts';
import { OUR_ACCOUNT, type ProviderRecord } from './scripted-provider.ts';
import type { PaymentWorld } from './world.ts';

/** An index into the existing ones, of which there may be none. */
const place = fc.nat(1000);
const mostly = <T>(usual: T, ...rare: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 4 * rare.length + 1, arbitrary: fc.constant(usual) },
    { weight: rare.length, arbitrary: fc.constantFrom(...rare) },
  );
const pick = <T>(items: readonly T[], index: number): T | undefined =>
  items[index % Math.max(items.length, 1)];

const STATES = [
  'settled',
  'failed',
  'abandoned',
  'voided',
  'refunded',
  'partially_refunded',
  'chargebacked',
  'charged_back',
  'initial',
  'waiting_for_sca',
  'authorised',
  'something_new',
];
const EVENTS = [
  'status_updated',
  'voided',
  'refunded',
  'refund_failed',
  'chargebacked',
  'abandoned',
  'dispute_opened',
  'issuer_reported_fraudulent',
  'status_update',
  'card_art_updated',
  'never_heard_of',
];
const AMOUNTS = [100n, 1000n, 1000n, 2000n, 3000n, 1n, 12400n, 3333n];

const amount = fc.constantFrom(...AMOUNTS);
const times = fc.constantFrom(0, 1, 1, 2, 3);
const event = fc.constantFrom(...EVENTS);
/** The standing amount of a payment: the one of its state, or any other. */
const standings = [
  'natural',
  'natural',
  'natural',
  'natural',
  'whole',
  'none',
  'half',
  'less',
  'more',
] as const;
export const move = fc.record({
  state: fc.oneof(
    { weight: 3, arbitrary: fc.constant('settled') },
    { weight: 5, arbitrary: fc.constantFrom(...STATES) },
  ),
  standing: fc.constantFrom(...standings),
  times,
  event,
});
/** As a payer pays. */
export const PAID: Move = { state: 'settled', standing: 'natural', times: 1, event: 'status_updated' };
export type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

const NOTHING_STANDS = new Set(['failed', 'abandoned', 'voided', 'refunded', 'chargebacked', 'charged_back']);

function standingAfter({ state, standing }: Move, { initial }: ProviderRecord): bigint {
  if (standing === 'whole') return initial;
  if (standing === 'none') return 0n;
  if (standing === 'half') return initial / 2n;
  if (standing === 'less') return initial - 1n;
  if (standing === 'more') return initial + 1n;
  if (NOTHING_STANDS.has(state)) return 0n;
  return state === 'partially_refunded' ? initial / 2n : initial;
}

export async function moveRecord(world: PaymentWorld, record: ProviderRecord, to: Move): Promise<void> {
  const isPaidFirst = record.state === 'initial' && to.state === 'settled' && to.standing === 'natural';
  record.undisturbed &&= isPaidFirst;
  record.standing = standingAfter(to, record);
  record.state = to.state;
  record.version++;
  await world.call(record, to.times, to.event);
}

/** One action of a party; undefined where there is no object for it. */
export type Action = {
  readonly name: string;
  readonly parameters: unknown;
  run(world: PaymentWorld, journal: Journal): Promise<unknown> | undefined;
  /** What the rules must forbid where it is refused. */
  label?(journal: Journal): Label | undefined;
};

const action = <P>(
  name: string,
  parameters: fc.Arbitrary<P>,
  run: (world: PaymentWorld, chosen: P, journal: Journal) => Promise<unknown> | undefined,
): fc.Arbitrary<Action> =>
  parameters.map((chosen) => ({
    name,
    parameters: chosen,
    run: (world, journal) => run(world, chosen, journal),
  }));

const invoicesOf = (journal: Journal): BookInvoice[] => [...journal.invoices.values()];
const records = (world: PaymentWorld): ProviderRecord[] => [...world.provider.payments.values()];

const issuing = fc.oneof(
  action(
    'top-up',
    fc.record({ registrar: fc.constantFrom(...registrarCodes), net: amount }),
    (world, { registrar, net }) => world.topUp(registrar, net),
  ),
  action(
    'invoice',
    fc.record({ initiator: fc.constantFrom('auction', 'auction', 'eeid'), amount }),
    (world, chosen) => world.invoice(chosen.initiator, chosen.amount),
  ),
  action('deposit', amount, (world, chosen, journal) =>
    world.deposit(chosen, `user${journal.invoices.size}`),
  ),
  action('bulk', fc.array(place, { minLength: 1, maxLength: 4 }), (world, places, journal) => {
    const initiator = 'auction';
    const own = invoicesOf(journal).filter(
      (each) => each.initiator === initiator && each.kind !== 'bulk' && each.payable,
    );
    const children = [...new Set(places.map((each) => pick(own, each)))].filter((each) => each !== undefined);
    return children.length === 0 ? undefined : world.bulk(initiator, children);
  }),
);

const onInvoice = <P>(
  name: string,
  parameters: fc.Arbitrary<P>,
  run: (world: PaymentWorld, invoice: BookInvoice, chosen: P) => Promise<unknown> | undefined,
  labelOf: (invoice: BookInvoice, chosen: P) => Label,
): fc.Arbitrary<Action> =>
  fc.tuple(place, parameters).map(([index, chosen]) => ({
    name,
    parameters: [index, chosen],
    run: (world, journal) => {
      const invoice = pick(invoicesOf(journal), index);
      return invoice && run(world, invoice, chosen);
    },
    label: (journal) => {
      const invoice = pick(invoicesOf(journal), index);
      return invoice && labelOf(invoice, chosen);
    },
  }));

const oneoffs = onInvoice(
  'one-off',
  fc.constant(0),
  (world, invoice) => world.oneoff(invoice),
  ({ number }) => ({ kind: 'attempt', number }),
);

/** A payment by a signed link: the provider has a payment that is unknown to us. */
const linkPayments = action(
  'pay by link',
  fc.record({
    invoice: place,
    state: mostly('settled', 'failed', 'waiting_for_sca'),
    order: mostly('own', '199998', 'nonsense'),
    account: mostly(OUR_ACCOUNT, 'USD'),
    more: mostly(0n, 1n, -1n),
    times,
    event,
  }),
  (world, { invoice: index, state, order, account, more, times: often, event: name }, journal) => {
    const invoice = pick(invoicesOf(journal), index);
    if (!invoice) return undefined;
    const paid = invoice.amount + more === 0n ? invoice.amount : invoice.amount + more;
    const record = world.provider.add(order === 'own' ? String(invoice.number) : order, paid, state, account);
    if (state === 'failed') record.standing = 0n;
    return world.call(record, often, name);
  },
);

/** All payable invoices are paid concurrently, some of them in several ways. */
const simultaneousPayments = action('rush', place, async (world, index, journal) => {
  const payable = invoicesOf(journal).filter((each) => each.payable);
  const chosen = [0, 1, 2].map((step) => pick(payable, index + step)).filter((each) => each !== undefined);
  const links = chosen.map(({ number, amount }) => world.provider.add(String(number), amount, 'settled'));
  const begun = records(world)
    .filter(({ state }) => state === 'initial')
    .slice(-2);
  for (const record of begun) await moveRecord(world, record, { ...PAID, times: 0 });
  for (const record of [...links, ...begun]) await world.call(record, 1, 'status_updated');
});

const moves = action('move', fc.tuple(place, move), (world, [index, to]) => {
  const record = pick(records(world), index);
  return record && moveRecord(world, record, to);
});

const callbacks = action('callback', fc.tuple(place, times, event), (world, [index, often, name]) => {
  const record = pick(records(world), index);
  return record && world.call(record, often, name);
});

/** Callbacks of anybody: with unknown, future or malformed references. */
const unknownCallbacks = action(
  'made-up callback',
  fc.tuple(fc.constantFrom('nobody', 'next', 'elsewhere', 'none'), place, event),
  (world, [what, index, name], journal) => {
    const invoice = pick(invoicesOf(journal), index);
    const reference = {
      nobody: `nobody_${index}`,
      next: `pay_${records(world).length + 1}`,
      elsewhere: invoice && `elsewhere-${invoice.number}`,
      none: undefined,
    }[what];
    return world.callback(reference, name);
  },
);

const statusCalls = onInvoice(
  'invoice_status',
  fc.constantFrom<Status>(...statuses, 'paid', 'refunded'),
  (world, invoice, to) => world.status(invoice, to),
  ({ number }, to) => ({ kind: 'status', number, to }),
);

const DEPOSIT_STATUSES = { prepayment: 'unpaid', paid: 'paid', returned: 'refunded' } as const;
const depositCalls = fc
  .tuple(place, fc.constantFrom('prepayment', 'paid', 'returned'))
  .map(([index, status]): Action => {
    const find = (journal: Journal) =>
      pick(
        [...journal.invoices.values()]
          .map((each, at) => ({ each, at }))
          .filter(({ each }) => each.kind === 'deposit'),
        index,
      );
    return {
      name: 'deposit_status',
      parameters: [index, status],
      run: (world, journal) => {
        const found = find(journal);
        return (
          found && world.depositStatus(found.each.number, `user${found.at}`, status, DEPOSIT_STATUSES[status])
        );
      },
      label: (journal) => {
        const found = find(journal);
        return found && { kind: 'status', number: found.each.number, to: DEPOSIT_STATUSES[status] };
      },
    };
  });

const operatorRefunds = onInvoice(
  'refund invoice',
  fc.constant(0),
  (world, invoice) => world.refund(invoice),
  ({ number }) => ({ kind: 'refund', number }),
);

const spending = fc
  .tuple(fc.constantFrom(...registrarCodes), fc.constantFrom(100n, 900n, 1000n, 90n))
  .map(([registrar, price]): Action => {
    return {
      name: 'spend',
      parameters: [registrar, price],
      run: async (world) => {
        if (!(await world.spend(registrar, price))) {
          const [decimal, nothing] = [toDecimal(price), '0.00'];
          refuse('noFunds', { price: decimal, balance: nothing, missing: decimal });
        }
      },
      label: () => ({ kind: 'spend', registrar, price }),
    };
  });

const polls = action('ask', place, (world, index) => {
  const record = pick(records(world), index);
  return record && world.ask(record.reference);
});
const duePolls = action('ask due', fc.constant(0), (world) => world.pollDuePayments());
const dueRefunds = action('refund due', fc.constant(0), (world) => world.refundDue());
const reconciliations = action('reconcile', fc.constant(0), (world) => world.reconcile());
const lateRefunds = action('carry out taken', times, async (world, often) => {
  for (const record of world.provider.carryOutTaken()) await world.call(record, often, 'refunded');
});

const MINUTE_MS = 60_000;
const clockSteps = action(
  'clock',
  fc.constantFrom(0.1, 2, 2, 15, 60 * 24, 60 * 24 * 4, 60 * 24 * 31, 60 * 24 * 62),
  async (world, minutes) => world.pass(minutes * MINUTE_MS),
);
const dueDates = action('due dates', fc.constant(0), async (world, _chosen, journal) => {
  await world.processDueDates();
  for (const entry of world.faults.takeLog()) journal.follow(entry);
  const late = invoicesOf(journal).filter((each) => journal.dueFor(each, dayOf(world.now)) === 'overdue');
  if (late.length > 0) throw new Error(`invoice ${late[0]?.number} should be overdue`);
});

/** The decision of an operator on a payment that is held at that moment. */
const resolutionsOf = (among: (held: HeldPayment) => boolean): fc.Arbitrary<Action> =>
  fc
    .tuple(place, fc.constantFrom<Resolution>('accept', 'accept', 'refund', 'refund', 'dismiss'))
    .map(([index, resolution]) => {
      let label: Label | undefined;
      return {
        name: 'resolve',
        parameters: [index, resolution],
        run: async (world) => {
          const held = pick((await world.held()).filter(among), index);
          label = held && { kind: 'resolve', reference: held.reference, hold: held.kind, resolution };
          if (held) await world.resolve(held, resolution);
        },
        label: () => label,
      };
    });

const weighted = (list: readonly (readonly [number, fc.Arbitrary<Action>])[]): fc.Arbitrary<Action> =>
  fc.oneof(...list.map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const single = weighted([
  [5, issuing],
  [3, oneoffs],
  [6, linkPayments],
  [3, simultaneousPayments],
  [8, moves],
  [3, callbacks],
  [1, unknownCallbacks],
  [3, statusCalls],
  [1, depositCalls],
  [4, operatorRefunds],
  [3, spending],
  [3, polls],
  [2, duePolls],
  [2, dueRefunds],
  [1, reconciliations],
  [1, lateRefunds],
  [3, clockSteps],
  [1, dueDates],
  [6, resolutionsOf(() => true)],
]);
/** Actions that may be concurrent. */
export const concurrent = weighted([
  [2, oneoffs],
  [2, linkPayments],
  [2, simultaneousPayments],
  [3, moves],
  [3, callbacks],
  [3, statusCalls],
  [2, operatorRefunds],
  [2, resolutionsOf(({ kind }) => kind !== 'refund')],
  [1, spending],
  [5, polls],
  [5, duePolls],
  [4, dueRefunds],
  [1, reconciliations],
]);
