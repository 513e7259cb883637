import type { Socket } from 'node:net';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { RoundTurns } from '../../platform/concurrency/round-turns.ts';

/** Of the time that strangers' connections take before their requests: one of them in a turn. */
const MS_PER_TURN_OF_STRANGERS = 0.05;

type Place = { readonly bucket: string; readonly user: string | undefined };
/** `serve` is undefined once the connection has closed. */
type Arrival = { serve: (() => void) | undefined };

/**
 * Connections that have arrived, until it is their turn. In a turn of the event loop one of each user is served, and one of
 * all strangers, since what arrives with it is parsed as a whole.
 */
export class Arrivals {
  readonly #ofStrangers = new FairTurns<string>({ msPerTurn: MS_PER_TURN_OF_STRANGERS });
  readonly #ofUsers = new RoundTurns<string>();

  /** Nothing is kept of a connection that closes before: of those that strangers abort, thousands wait. */
  serveInTurn(socket: Socket, { bucket, user }: Place, serve: () => void): void {
    const arrival: Arrival = { serve };
    socket.once('close', () => {
      arrival.serve = undefined;
    });
    if (user === undefined) this.#ofStrangers.runLater(bucket, turnOf(arrival));
    else this.#ofUsers.runLater(user, turnOf(arrival));
  }
}

/** Made here, it holds nothing but the arrival. */
const turnOf = (arrival: Arrival) => () => arrival.serve?.();
