import { Resolver } from 'node:dns/promises';

export type TargetAddress = { readonly address: string; readonly family: 4 | 6 };

type Options = {
  /** Address and port of name servers; those of the system if left out. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
};
type Asked = {
  /** On whose behalf: of one owner one name is resolved at a time. */
  readonly owner: number;
  readonly signal: AbortSignal;
};
type Resolution = {
  readonly outcome: Promise<readonly TargetAddress[]>;
  /** Cancels it when nobody waits for it any more. */
  readonly abandon: AbortController;
  waiting: number;
};
type Turn = { readonly owner: number; readonly begin: () => void };

/** For both families together, all repetitions included. */
const RESOLUTION_TIMEOUT_MS = 5_000;
/** A query is repeated after a third of the time; the second try has twice as long. */
const MAX_TRIES = 2;
const SHARE_OF_FIRST_TRY = 1 / 3;
const MAX_CONCURRENT = 64;
/** A name of a service has a handful. */
const MAX_ADDRESSES = 64;

/** A name under localhost is this machine and is never asked for (RFC 6761, section 6.3). */
const LOOPBACK: readonly TargetAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names that somebody else chose, by queries over the network: the system's own resolution runs in the few
 * threads that passwords are verified in too, and cannot be cancelled. The file of hosts and search domains are not used.
 * Each owner has one resolution at a time, so that a name whose servers never answer delays only its owner.
 */
export class TargetResolver {
  readonly #servers: readonly string[] | undefined;
  readonly #timeoutMs: number;
  readonly #underWay = new Map<string, Resolution>();
  readonly #turns = new Set<Turn>();
  readonly #busyOwners = new Set<number>();

  constructor({ servers, timeoutMs = RESOLUTION_TIMEOUT_MS }: Options = {}) {
    this.#servers = servers;
    this.#timeoutMs = timeoutMs;
  }

  /** All addresses of a name, IPv4 first. Those who ask for the same name on behalf of the same owner share one resolution. */
  async resolve(host: string, { owner, signal }: Asked): Promise<readonly TargetAddress[]> {
    if (/^(?:.+\.)?localhost\.?$/i.test(host)) return LOOPBACK;
    signal.throwIfAborted();
    const key = `${owner} ${host}`;
    const resolution = this.#underWay.get(key) ?? this.#begin(key, owner, host);
    resolution.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([resolution.outcome, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
      resolution.waiting -= 1;
      if (resolution.waiting === 0) {
        if (this.#underWay.get(key) === resolution) this.#underWay.delete(key);
        resolution.abandon.abort();
      }
    }
  }

  #begin(key: string, owner: number, host: string): Resolution {
    const abandon = new AbortController();
    const outcome = this.#inTurn(owner, abandon.signal, () => this.#query(host, abandon.signal));
    // Its last waiter may have left.
    outcome.catch(() => {});
    const resolution = { outcome, abandon, waiting: 0 };
    this.#underWay.set(key, resolution);
    return resolution;
  }

  async #inTurn<T>(owner: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const turn = { owner, begin };
    const leave = () => {
      if (this.#turns.delete(turn)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#turns.add(turn);
    this.#giveTurns();
    await promise;
    try {
      return await work();
    } finally {
      this.#busyOwners.delete(owner);
      this.#giveTurns();
    }
  }

  #giveTurns(): void {
    for (const turn of this.#turns) {
      if (this.#busyOwners.size >= MAX_CONCURRENT) return;
      if (this.#busyOwners.has(turn.owner)) continue;
      this.#busyOwners.add(turn.owner);
      this.#turns.delete(turn);
      turn.begin();
    }
  }

  async #query(host: string, abandoned: AbortSignal): Promise<readonly TargetAddress[]> {
    // One for each resolution, since `cancel` ends all queries of a resolver.
    const timeout = Math.ceil(this.#timeoutMs * SHARE_OF_FIRST_TRY);
    const resolver = new Resolver({ timeout, tries: MAX_TRIES });
    if (this.#servers) resolver.setServers(this.#servers);
    const signal = AbortSignal.any([abandoned, AbortSignal.timeout(this.#timeoutMs)]);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
      // What one family answers is enough: servers that do not answer for the other one are common.
      if (found.length === 0) throw ipv4.status === 'rejected' ? ipv4.reason : noAddress();
      if (found.length > MAX_ADDRESSES)
        throw Object.assign(new Error('too many addresses'), { code: 'EBADRESP' });
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

const addressesOf = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): TargetAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];

const noAddress = () => Object.assign(new Error('no address'), { code: 'ENODATA' });
