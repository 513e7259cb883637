export type ConnectionUsage = {
  /** Never displaced. */
  readonly isProtected: boolean;
  readonly isAuthenticated: boolean;
  readonly lastUsedAt: number;
};

type Options<C> = {
  readonly maxPerBucket: number;
  readonly maxTotal: number;
  /** Of those that are not authenticated, over all addresses; without a limit of their own if undefined. */
  readonly maxStrangers?: number;
  readonly usageOf: (connection: C) => ConnectionUsage;
};

/**
 * How many connections one client address, and all of them, may hold. A new connection displaces the least used one of
 * the same address, or, if all together are too many, of the address that holds most; if those of strangers are, the
 * oldest of these, so that one that does what it came for is not in question.
 */
export class ConnectionLimits<C> {
  readonly #options: Options<C>;
  readonly #perBucket = new Map<string, Set<C>>();
  /** In their order. */
  readonly #strangers = new Set<C>();
  #total = 0;

  constructor(options: Options<C>) {
    this.#options = options;
  }

  /**
   * Counts a connection; without a bucket it counts for the total only, and unless it is a stranger's not among those.
   * Returns the connection that must be ended for it, which is itself if all others are protected.
   */
  add(connection: C, bucket: string | undefined, isStranger = true): C | undefined {
    const { maxPerBucket, maxTotal, maxStrangers = Number.POSITIVE_INFINITY } = this.#options;
    this.#total += 1;
    if (isStranger) this.#strangers.add(connection);
    const same = bucket === undefined ? undefined : this.#bucket(bucket).add(connection);
    if (same && same.size > maxPerBucket) return this.#leastUsed(same, connection) ?? connection;
    if (this.#strangers.size > maxStrangers) return this.#oldestStranger(connection) ?? connection;
    if (this.#total > maxTotal) return this.#leastUsed(this.#largestBucket(), connection) ?? connection;
    return undefined;
  }

  /** From now on it does not count among those of strangers. */
  noteAuthenticated(connection: C): void {
    this.#strangers.delete(connection);
  }

  delete(connection: C, bucket: string | undefined): void {
    this.#total -= 1;
    this.#strangers.delete(connection);
    if (bucket === undefined) return;
    const same = this.#perBucket.get(bucket);
    same?.delete(connection);
    if (same?.size === 0) this.#perBucket.delete(bucket);
  }

  #bucket(bucket: string): Set<C> {
    const known = this.#perBucket.get(bucket) ?? new Set();
    this.#perBucket.set(bucket, known);
    return known;
  }

  #largestBucket(): Set<C> {
    let largest = new Set<C>();
    for (const each of this.#perBucket.values()) if (each.size > largest.size) largest = each;
    return largest;
  }

  /** It is counted no more, although it may take a while to close. */
  #oldestStranger(newcomer: C): C | undefined {
    for (const connection of this.#strangers) {
      if (connection === newcomer || this.#options.usageOf(connection).isProtected) continue;
      this.#strangers.delete(connection);
      return connection;
    }
    return undefined;
  }

  /** Unauthenticated ones first. */
  #leastUsed(among: ReadonlySet<C>, newcomer: C): C | undefined {
    let least: { readonly connection: C; readonly usage: ConnectionUsage } | undefined;
    for (const connection of among) {
      if (connection === newcomer) continue;
      const usage = this.#options.usageOf(connection);
      if (usage.isProtected) continue;
      if (!least || isLessUsed(usage, least.usage)) least = { connection, usage };
    }
    return least?.connection;
  }
}

const isLessUsed = (one: ConnectionUsage, other: ConnectionUsage): boolean =>
  one.isAuthenticated === other.isAuthenticated ? one.lastUsedAt < other.lastUsedAt : other.isAuthenticated;
