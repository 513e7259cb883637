import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

type RdapDomain = {
  readonly events?: readonly { readonly eventAction: string; readonly eventDate: string }[];
};

/** Of the contacts that the other clients create: persons, who have not agreed to be shown. */
const HIDDEN = ['Maasikas', '@example.ee', '5551234', '60001019906'];
const DECIDED = [200, 404];

/** A public client that looks names up by RDAP. */
export function runLookupClient(world: World): Promise<void> {
  const actions = {
    async lookUp({ caller, chance }: Parts) {
      const name = world.name(chance);
      const reply = await caller.look<RdapDomain>({ method: 'GET', path: `/rdap/domain/${name}` });
      if (!reply || !DECIDED.includes(reply.status)) return;
      const { status, body, sentAt, endedAt } = reply;
      const expiration = body.events?.find(({ eventAction }) => eventAction === 'expiration');
      const expireTime = status === 200 ? (expiration?.eventDate ?? '') : undefined;
      world.journal.lookups.push({ seen: { name, expireTime }, sentAt, endedAt });
      const text = JSON.stringify(body);
      const shown = HIDDEN.find((hidden) => text.includes(hidden));
      if (shown !== undefined) world.journal.complain('a look-up shows a person', name, shown);
    },
  } satisfies Record<string, Action>;

  return live(world, 'looker', actions, { lookUp: 1 });
}
