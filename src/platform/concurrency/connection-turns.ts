import { FairTurns } from './fair-turns.ts';
import { KnownAddresses } from './known-addresses.ts';

type Place = {
  /** The client's; undefined for one that a proxy speaks for without telling. */
  readonly address: string | undefined;
  readonly isAuthenticated: boolean;
  /** Whether what is read may carry certificates, whose signatures are verified. */
  readonly mayCarryCertificate?: boolean;
};

/**
 * In which turns what arrives on connections is read. Those of users wait for nobody's handshakes; handshakes from
 * addresses of users wait for none of strangers, and a user with many addresses has one share of their time. Strangers
 * who show no certificate do not wait for those who do.
 */
export class ConnectionTurns {
  readonly #strangers: FairTurns<string | undefined>;
  /** A handshake takes a millisecond or two, or a hundred with the certificates of an attacker. */
  readonly #certificates: FairTurns<string | undefined>;
  readonly #newOfUsers: FairTurns<string>;
  readonly #authenticated: FairTurns<string | undefined>;
  readonly #known = new KnownAddresses();

  constructor(now?: () => number) {
    const clock = now && { now };
    this.#strangers = new FairTurns({ msPerTurn: 1, pauseFactor: 4, ...clock });
    this.#certificates = new FairTurns({ msPerTurn: 1, pauseFactor: 4, ...clock });
    this.#newOfUsers = new FairTurns({ msPerTurn: 1, pauseFactor: 4, pausesKeyAlone: true, ...clock });
    this.#authenticated = new FairTurns({ msPerTurn: 4, ...clock });
  }

  noteLogin(address: string, user: string): void {
    this.#known.noteLogin(address, user);
  }

  userOf(address: string | undefined): string | undefined {
    return address === undefined ? undefined : this.#known.userOf(address);
  }

  run({ address, isAuthenticated, mayCarryCertificate = false }: Place, work: () => void): void {
    const user = this.userOf(address);
    if (isAuthenticated) this.#authenticated.run(address, work);
    else if (user !== undefined) this.#newOfUsers.run(user, work);
    else (mayCarryCertificate ? this.#certificates : this.#strangers).run(address, work);
  }
}
