import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const PROVIDER = '/sandbox/provider';
type Paid = { readonly payment_reference: string };

/** Payers, their banks and the provider: pay, decline, pay twice or wrongly, charge back, send unsolicited callbacks. */
export function runPayers(world: World, number: number): Promise<void> {
  const pay = async ({ caller, chance }: Parts, details: object) => {
    const link = chance.oneOf(world.links);
    if (link === undefined) return;
    const body = { link, callback: chance.happens(0.8), ...details };
    const { reply } = await caller.want<Paid>(
      'pay',
      { method: 'POST', path: `${PROVIDER}/pay`, body },
      false,
    );
    if (reply?.status === 200) world.keep(world.payments, reply.body.payment_reference);
  };
  const move = async ({ caller, chance }: Parts, details: object) => {
    const reference = chance.oneOf(world.payments);
    if (reference === undefined) return;
    const path = `${PROVIDER}/payments/${reference}/state`;
    const body = { callback: chance.happens(0.8), ...details };
    await caller.want('move', { method: 'POST', path, body }, false);
  };

  const actions = {
    settle: (parts: Parts) => pay(parts, { outcome: 'settled' }),
    decline: (parts: Parts) => pay(parts, { outcome: parts.chance.happens(0.5) ? 'failed' : 'abandoned' }),
    takeLong: (parts: Parts) => pay(parts, { outcome: 'waiting_for_sca' }),
    payWrongly: (parts: Parts) => pay(parts, { outcome: 'settled', amount: '7.77' }),
    refund: (parts: Parts) => move(parts, { payment_state: 'refunded' }),
    chargeBack: (parts: Parts) => move(parts, { payment_state: 'chargebacked' }),

    async callAgain({ caller, chance }: Parts) {
      const reference = chance.happens(0.8) ? chance.oneOf(world.payments) : `invented-${chance.below(100)}`;
      const path = `/api/v1/callback_handler/callback?payment_reference=${reference}&event_name=status_updated`;
      await caller.look({ method: 'GET', path });
    },
  } satisfies Record<string, Action>;

  return live(world, `payer-${number}`, actions, {
    settle: 20,
    decline: 4,
    takeLong: 2,
    payWrongly: 1,
    refund: 1,
    chargeBack: 2,
    callAgain: 4,
  });
}
