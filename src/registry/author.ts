import { actorOf } from './actor.ts';
import type { Context } from './operation.ts';

/** Who changes something, when and why: what history says of it. */
export type Author = {
  readonly actor: string;
  /** The registrar who acts; null where the registry or a registrant does. */
  readonly registrarId: number | null;
  readonly requestId: string | null;
  readonly reason?: string;
  readonly now: Date;
};

export const authorOf = ({ principal, requestId, now }: Context): Author => ({
  actor: actorOf(principal),
  registrarId: principal.registrarId,
  requestId,
  now,
});

/** The registry itself, by what falls due. */
export const theRegistry = (now: Date): Author => ({
  actor: 'registry',
  registrarId: null,
  requestId: null,
  now,
});
