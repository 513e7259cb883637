import type { Socket } from 'node:net';
import type { Chance } from './chance.ts';
import { Journal } from './journal.ts';
import type { Place } from './place.ts';

export type Registrar = { readonly code: string; readonly user: string; readonly authorization: string };
export type Bill = { readonly number: number; readonly service: string; readonly amount: string };

const basic = (user: string) => `Basic ${btoa(`${user}:${user}-sandbox-password`)}`;
export const registrarHeaders = ({ authorization }: Registrar) => ({ authorization });
const MAX_REMEMBERED = 60;

/** The shared state of all clients: the place, the journal, and what they exchange. */
export class World {
  readonly place: Place;
  readonly seed: number;
  readonly journal = new Journal();
  readonly registrars: readonly Registrar[] = [
    { code: 'ALPHA', user: 'alpha', authorization: basic('alpha') },
    { code: 'BETA', user: 'beta', authorization: basic('beta') },
    { code: 'POOR', user: 'poor', authorization: basic('poor') },
  ];
  /** Transfer codes as their sponsors last saw them. */
  readonly transferCodes = new Map<string, string>();
  readonly registrationCodes = new Map<string, string>();
  /** The connections of clients of EPP, for the saboteur. */
  readonly eppSockets = new Set<Socket>();
  readonly links: string[] = [];
  readonly bills: Bill[] = [];
  readonly payments: string[] = [];
  readonly longReservations: { readonly number: number; readonly id: string }[] = [];
  /** By how much the registry's clock was moved; raised before it is. */
  jumpedMs = 0;
  ended = false;
  #requests = 0;

  constructor(place: Place, seed: number) {
    this.place = place;
    this.seed = seed;
  }

  newRequestId(): string {
    this.#requests += 1;
    return `torture-${this.#requests}`;
  }

  /** Few enough that clients collide. */
  name(chance: Chance): string {
    return `torture-${this.seed}-${chance.below(80)}.ee`;
  }

  contact({ code }: Pick<Registrar, 'code'>, chance: Chance): string {
    return `${code}-${chance.below(12)}`;
  }

  /** Remembers the last few. */
  keep<T>(list: T[], item: T): void {
    list.push(item);
    if (list.length > MAX_REMEMBERED) list.shift();
  }
}
