import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const API = '/api/v1/business_registry';
const headers = { authorization: 'Bearer portal-sandbox-token' };

type Entry = { readonly name: string; readonly status?: string; readonly password?: string };
type Short = { readonly user_unique_id: string; readonly reserved_domains: readonly Required<Entry>[] };
type Long = {
  readonly invoice_number: number;
  readonly user_unique_id: string;
  readonly linkpay_url: string;
};
type LongStatus = { readonly status: string; readonly reserved_domains?: readonly Entry[] };

/** The business portal: suggestions, free and paid reservations, and their statuses. */
export function runPortalClient(world: World, number: number): Promise<void> {
  const namesOf = ({ chance }: Parts) => [...new Set([0, 1].map(() => world.name(chance)))];
  const learn = (entries: readonly Entry[]) => {
    for (const { name, password } of entries)
      if (password !== undefined) world.registrationCodes.set(name, password);
  };

  const actions = {
    async suggest({ caller, chance }: Parts) {
      const path = `${API}/domain_names/Torture%20${world.seed}%20${chance.below(80)}`;
      await caller.look({ method: 'GET', path, headers });
    },

    async reserve(parts: Parts) {
      const call = {
        method: 'POST',
        path: `${API}/reserve_domains`,
        headers,
        body: { domain_names: namesOf(parts) },
      };
      const { reply } = await parts.caller.want<Short>('reserve', call, parts.chance.happens(0.8));
      if (reply?.status !== 201) return;
      const { user_unique_id: id, reserved_domains: reserved } = reply.body;
      // A repeated answer lists only valid reservations.
      const known = world.journal.reservations.get(id) ?? [];
      world.journal.reservations.set(id, known.length > reserved.length ? known : [...reserved]);
      learn(reserved);
    },

    async reserveLong(parts: Parts) {
      const call = {
        method: 'POST',
        path: `${API}/long_reserve_domains`,
        headers,
        body: { domain_names: namesOf(parts) },
      };
      const { reply } = await parts.caller.want<Long>('reserve long', call, parts.chance.happens(0.8));
      if (reply?.status !== 201) return;
      const { invoice_number: invoice, user_unique_id: id, linkpay_url: link } = reply.body;
      world.journal.invoices.set(invoice, 'business_registry');
      world.keep(world.links, link);
      world.keep(world.longReservations, { number: invoice, id });
    },

    async longStatus({ caller, chance }: Parts) {
      const known = chance.oneOf(world.longReservations);
      if (!known) return;
      const path = `${API}/long_reserve_domains_status?invoice_number=${known.number}&user_unique_id=${known.id}`;
      const reply = await caller.look<LongStatus>({ method: 'GET', path, headers });
      if (reply?.status === 200) learn(reply.body.reserved_domains ?? []);
      else if (reply)
        world.journal.complain(
          'a paid reservation is not found',
          String(known.number),
          `status ${reply.status}`,
        );
    },

    async status({ caller, chance }: Parts) {
      const [id] = chance.oneOf([...world.journal.reservations]) ?? [];
      if (id === undefined) return;
      const reply = await caller.look<Entry[]>({
        method: 'GET',
        path: `${API}/reserve_domains/${id}`,
        headers,
      });
      if (reply && reply.status !== 200)
        world.journal.complain('a free reservation is not found', id, `status ${reply.status}`);
    },
  } satisfies Record<string, Action>;

  return live(world, `portal-${number}`, actions, {
    suggest: 2,
    reserve: 6,
    reserveLong: 6,
    longStatus: 6,
    status: 3,
  });
}
