/** Numbers that follow from a seed (mulberry32): the same seed, the same plan. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A separate generator, independent of how many numbers this one is asked for. */
  static of(seed: number, who: string): Chance {
    let hash = 2166136261 ^ seed;
    for (const letter of who) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
    return new Chance(hash);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** Undefined for an empty list. */
  oneOf<T>(items: readonly T[]): T | undefined {
    const drawn = this.next();
    return items[Math.floor(drawn * items.length)];
  }

  /** One of the members of a record, as often as their numbers say. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    const total = names.reduce((sum, name) => sum + weights[name], 0);
    let left = this.next() * total;
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names.at(-1) as Name;
  }
}
