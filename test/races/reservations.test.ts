import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { classifyDatabaseError } from '../../src/platform/database/database-errors.ts';
import { ee } from '../../src/policy/ee.ts';
import { shortReservation } from '../../src/reservations/reserve-short.ts';
import { Payer } from '../support/billing.ts';
import { alpha, type Client } from '../support/client.ts';
import { freshName, Registrant } from '../support/domains.ts';
import { Portal } from '../support/portal.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const ROUNDS = process.env.TORTURE ? 200 : 20;
/** Races for other names beside it: a refund takes a while. */
const AT_ONCE = 10;

let registry: TestRegistry;
let portal: Portal;
let payer: Payer;
let client: Client;
let registrant: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  [portal, payer, client] = [new Portal(registry.url), new Payer(registry.url), alpha(registry.url)];
  registrant = await Registrant.of(client);
});
afterAll(() => registry.stop());

describe('one name, many requests', () => {
  test('success: of 16 concurrent reservations one succeeds, and its code registers the name', async () => {
    const name = freshName();
    const replies = await Promise.all(Array.from({ length: 16 }, () => portal.reserve(name)));
    const holders = replies.filter(({ status }) => status === 201);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(15).fill(422)]);
    const [{ password }] = holders[0]?.body.reserved_domains ?? [];
    expect((await registrant.try({ name })).status).toBe(400);
    expect((await registrant.try({ name, reserved_pw: password })).status).toBe(200);
    expect((await portal.get(`/reserve_domains/${holders[0]?.body.user_unique_id}`)).body).toEqual([
      { name, status: 'registered' },
    ]);
  });

  test('failure: of two reservations decided on the same state the second is a conflict', async () => {
    const context = { now: new Date(), dryRun: false };
    const expiresAt = new Date(context.now.getTime() + 3_600_000);
    const input = { names: [freshName()], expiresAt, timeZone: ee.timeZone };
    const states = await shortReservation.load(registry.sql, input, context);
    const persist = () =>
      shortReservation.persist(registry.sql, shortReservation.decide(states, input, context), context);
    await persist();
    expect(classifyDatabaseError(await persist().catch((error: unknown) => error))).toBe('conflict');
  });

  test('success: a reservation, a registration and a paid claim race for it; one wins, and the payment of a loser is refunded', {
    timeout: 600_000,
  }, async () => {
    const won = { reserved: 0, registered: 0, paid: 0 };
    for (let round = 0; round < ROUNDS; round += AT_ONCE)
      for (const winner of await Promise.all(Array.from({ length: AT_ONCE }, race))) won[winner] += 1;
    expect(won.reserved + won.registered + won.paid).toBe(ROUNDS);
    const [ledger] = await registry.sql.rows(sql`
        select count(*)::int as refused from refunds where state <> 'done'`);
    expect(ledger).toEqual({ refused: 0 });
  });

  async function race(): Promise<'reserved' | 'registered' | 'paid'> {
    const name = freshName();
    const {
      invoice_number: number,
      user_unique_id: id,
      linkpay_url: link,
    } = (await portal.reserveLong(name)).body;
    const [reserved, registered, reference] = await Promise.all([
      portal.reserve(name),
      registrant.try({ name }),
      payer.pay(link),
    ]);
    const { payments } = await vi.waitFor(
      async () => {
        const invoice = await payer.invoice(number);
        expect(['paid', 'refunded', 'cancelled']).toContain(invoice.status);
        const [refund] = await registry.sql.rows(
          sql`select from refunds where payment_reference = ${reference} and state = 'waiting'`,
        );
        expect(refund).toBeUndefined();
        return invoice;
      },
      { interval: 20 },
    );
    const claim = await portal.longStatus(number, id);
    const winners = [
      ...(reserved.status === 201 ? (['reserved'] as const) : []),
      ...(registered.status === 200 ? (['registered'] as const) : []),
      ...(claim.status === 'paid' && claim.reserved_domains[0].status === 'reserved'
        ? (['paid'] as const)
        : []),
    ];
    expect(winners).toHaveLength(1);
    const charges = await registry.sql.rows(
      sql`select amount from ledger_entries where description like ${`%${name}%`}`,
    );
    expect(charges).toEqual(winners[0] === 'registered' ? [{ amount: 900 }] : []);
    expect(payments[0].payment_state).toBe(winners[0] === 'paid' ? 'settled' : 'refunded');
    return winners[0] as 'reserved' | 'registered' | 'paid';
  }
});
