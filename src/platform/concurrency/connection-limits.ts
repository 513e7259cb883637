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
  /** All that count, with their buckets. */
  readonly #counted = new Map<C, string | undefined>();
  readonly #perBucket = new Map<string, Set<C>>();
  /** In their order. */
  readonly #strangers = new Set<C>();

  constructor(options: Options<C>) {
    this.#options = options;
  }

  /**
   * Counts a connection; without a bucket it counts for the total only, and unless it is a stranger's not among those.
   * Returns the connection that must be ended for it, which is itself if all others are protected. That one counts no
   * more, although it may take a while to close: of several that arrive at once each displaces another.
   */
  add(connection: C, bucket: string | undefined, isStranger = true): C | undefined {
    this.#counted.set(connection, bucket);
    if (isStranger) this.#strangers.add(connection);
    if (bucket !== undefined) this.#bucket(bucket).add(connection);
    const displaced = this.#displacedBy(connection, bucket);
    if (displaced !== undefined) this.delete(displaced);
    return displaced;
  }

  /** From now on it does not count among those of strangers. */
  noteAuthenticated(connection: C): void {
    this.#strangers.delete(connection);
  }

  /** Does nothing where it counts no more. */
  delete(connection: C): void {
    const bucket = this.#counted.get(connection);
    this.#counted.delete(connection);
    this.#strangers.delete(connection);
    if (bucket === undefined) return;
    const same = this.#perBucket.get(bucket);
    same?.delete(connection);
    if (same?.size === 0) this.#perBucket.delete(bucket);
  }

  #displacedBy(connection: C, bucket: string | undefined): C | undefined {
    const { maxPerBucket, maxTotal, maxStrangers = Number.POSITIVE_INFINITY } = this.#options;
    const same = bucket === undefined ? undefined : this.#bucket(bucket);
    if (same && same.size > maxPerBucket) return this.#leastUsed(same, connection) ?? connection;
    if (this.#strangers.size > maxStrangers) return this.#oldestStranger(connection) ?? connection;
    if (this.#counted.size > maxTotal)
      return this.#leastUsed(this.#largestBucket(), connection) ?? connection;
    return undefined;
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

  #oldestStranger(newcomer: C): C | undefined {
    for (const connection of this.#strangers)
      if (connection !== newcomer && !this.#options.usageOf(connection).isProtected) return connection;
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
