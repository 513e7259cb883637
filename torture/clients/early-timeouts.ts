import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../caller.ts';
import { Chance } from '../chance.ts';
import type { World } from '../world.ts';

const MAX_OPEN = 20;
const PAUSE_MS = 100;
const MAX_PAUSE_MS = 300;
const MAX_TIMEOUT_MS = 3_000;

/**
 * A registrar's program that keeps sending while nothing is answered, each time another request without a key, and
 * disconnects early: only the auditor would notice a late effect after an outage.
 */
export async function runEarlyTimeoutClient(world: World): Promise<void> {
  const who = 'early-timeouts';
  const chance = Chance.of(world.seed, who);
  const caller = new Caller(world, who, chance);
  const authorization = world.registrars[0]?.authorization ?? '';
  const open = new Set<Promise<void>>();

  async function createContact(number: number): Promise<void> {
    const contact = {
      id: `TIMEOUT-${number}`,
      name: 'Mari Maasikas',
      email: 'mari@example.ee',
      phone: '+372.5551234',
      ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
    };
    const call = {
      method: 'POST',
      path: '/registry/v1/contacts',
      headers: { authorization },
      body: { contact },
    };
    type Created = { readonly data: { readonly contact: { readonly code: string } } };
    const { intent, reply } = await caller.want<Created>(
      'create contact',
      call,
      false,
      chance.below(MAX_TIMEOUT_MS),
    );
    if (reply?.status === 200)
      world.journal.promised.set(intent, [{ operation: 'create', name: reply.body.data.contact.code }]);
  }

  for (let number = 1; !world.ended; number++) {
    const sent = createContact(number).finally(() => open.delete(sent));
    open.add(sent);
    if (open.size >= MAX_OPEN) await Promise.race(open);
    await sleep(PAUSE_MS + chance.below(MAX_PAUSE_MS));
  }
  await Promise.all(open);
}
