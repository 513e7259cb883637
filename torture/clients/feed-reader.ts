import { registrarHeaders, type Registrar, type World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

type Feed = {
  readonly data: {
    readonly events: readonly { readonly id: string }[];
    readonly position: string;
  };
};
const GONE = 410;

/** A client that reads the events of a registrar, page by page, through everything that happens to the registry. */
export function runFeedReader(world: World, registrar: Registrar): Promise<void> {
  let position: string | undefined;
  const actions = {
    async read({ caller, chance }: Parts) {
      const after = position === undefined ? '' : `&after=${position}`;
      const reply = await caller.look<Feed>({
        method: 'GET',
        path: `/registry/v1/events?limit=${1 + chance.below(60)}${after}`,
        headers: registrarHeaders(registrar),
      });
      if (reply?.status === GONE) {
        position = undefined;
        world.journal.feeds.set(registrar.code, []);
      }
      if (reply?.status !== 200) return;
      const seen = world.journal.feeds.get(registrar.code) ?? [];
      world.journal.feeds.set(registrar.code, [...seen, ...reply.body.data.events.map(({ id }) => id)]);
      ({ position } = reply.body.data);
    },
  } satisfies Record<string, Action>;

  return live(world, `feed of ${registrar.code}`, actions, { read: 1 });
}
