import { hash } from 'node:crypto';

const SEGMENTS = 65_536;
const MODULUS = 2 ** 48;

/**
 * Compares two sets of lines in any order and in constant memory: each line belongs to one of many segments, each of
 * which has the sum of the digests of its lines. Segments of different lines have the same sum once in 2^48.
 */
export class LineDigests {
  readonly #sums = new Float64Array(SEGMENTS);

  add(line: string): void {
    this.#change(line, 1);
  }

  subtract(line: string): void {
    this.#change(line, -1);
  }

  /** The segments in which other lines were added than subtracted. */
  differing(): number[] {
    return Array.from(this.#sums.entries()).flatMap(([segment, sum]) => (sum === 0 ? [] : [segment]));
  }

  #change(line: string, sign: 1 | -1): void {
    const digest = digestOf(line);
    const segment = segmentIn(digest);
    const sum = (this.#sums[segment] ?? 0) + sign * digest.readUIntBE(2, 6);
    this.#sums[segment] = (sum + MODULUS) % MODULUS;
  }
}

export const segmentOf = (line: string): number => segmentIn(digestOf(line));

const digestOf = (line: string): Buffer => hash('sha256', line, 'buffer');
const segmentIn = (digest: Buffer): number => digest.readUInt16BE(0);
