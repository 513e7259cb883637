import { SignJWT } from 'jose';
import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const API = '/api/v1/invoice_generator';
const RETURN = 'https://auction.example/done';
const KEYED_OF_ALL = 0.8;
type Link = { readonly everypay_link?: string; readonly oneoff_redirect_link?: string };

/** A service that issues invoices: numbers, links, one-off and bulk payments, deposits, statuses. */
export async function runServiceClient(world: World, service: 'auction' | 'eeid'): Promise<void> {
  const token = await new SignJWT({ initiator: service })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(`${service}-sandbox-secret`));
  const own = () => world.bills.filter((bill) => bill.service === service);

  async function want<Body>(
    { caller, chance }: Parts,
    what: string,
    path: string,
    body: object,
  ): Promise<Body | undefined> {
    const headers = { authorization: `Bearer ${token}` };
    const call = { method: 'POST', path: API + path, headers, body };
    const { reply } = await caller.want<Body>(what, call, chance.happens(KEYED_OF_ALL));
    return reply && reply.status < 300 ? reply.body : undefined;
  }

  const actions = {
    async invoice(parts: Parts) {
      type Numbered = { readonly invoice_number: number };
      const taken = await want<Numbered>(parts, 'number', '/invoice_number_generator', {});
      if (!taken) return;
      const number = taken.invoice_number;
      const amount = `${10 + parts.chance.below(90)}.00`;
      const before = world.journal.numbers.get(number);
      if (before !== undefined)
        world.journal.complain('a number was handed out twice', String(number), `${before} and ${service}`);
      world.journal.numbers.set(number, service);
      const body = { invoice_number: number, transaction_amount: amount, custom_field2: service };
      const link = await want<Link>(parts, 'invoice', '/invoice_generator', body);
      if (!link?.everypay_link) return;
      world.journal.invoices.set(number, service);
      world.keep(world.bills, { number, service, amount });
      world.keep(world.links, link.everypay_link);
    },

    async oneoff(parts: Parts) {
      const bill = parts.chance.oneOf(own());
      if (!bill) return;
      const body = { invoice_number: String(bill.number), customer_url: RETURN };
      const link = await want<Link>(parts, 'one-off', '/oneoff', body);
      if (link?.oneoff_redirect_link) world.keep(world.links, link.oneoff_redirect_link);
    },

    async bulk(parts: Parts) {
      const bills = [...new Set([0, 1].flatMap(() => parts.chance.oneOf(own()) ?? []))];
      if (bills.length === 0) return;
      const total = bills.reduce((sum, { amount }) => sum + Number(amount), 0);
      const link = await want<Link>(parts, 'bulk', '/bulk_payment', {
        customer_url: RETURN,
        custom_field2: service,
        transaction_amount: total.toFixed(2),
        description: bills.map(({ number }) => number).join(' '),
      });
      if (link?.oneoff_redirect_link) world.keep(world.links, link.oneoff_redirect_link);
    },

    async deposit(parts: Parts) {
      const { chance } = parts;
      const link = await want<Link>(parts, 'deposit', '/deposit_prepayment', {
        customer_url: RETURN,
        custom_field2: service,
        transaction_amount: '30.00',
        description: `auction_deposit ${world.name(chance)}, user_uuid user-${chance.below(5)}, user_email u@example.ee`,
      });
      if (link?.oneoff_redirect_link) world.keep(world.links, link.oneoff_redirect_link);
    },

    async status(parts: Parts) {
      const bill = parts.chance.oneOf(own());
      if (!bill) return;
      const status = parts.chance.weighted({ paid: 3, cancelled: 2, refunded: 3, unpaid: 1 });
      await want(parts, `status ${status}`, '/invoice_status', { invoice_number: bill.number, status });
    },
  } satisfies Record<string, Action>;

  await live(world, service, actions, { invoice: 10, oneoff: 4, bulk: 3, deposit: 2, status: 4 });
}
