import { type DsData, dsPresentation } from '../registry/zones/zone-record.ts';
import { CommandError } from './terminal/output.ts';

/** Length of the digests in bytes, by their type: SHA-1, SHA-256, SHA-384. */
const DIGEST_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32, 4: 48 };
const MAX_KEY_TAG = 65_535;
const MAX_ALGORITHM = 255;

/**
 * DS records as signers print them, with or without name, time to live, class and type; a shell may have split them into
 * words. Each comes once. Fails for a record of another zone.
 */
export function parseDelegationSigners(texts: readonly string[], zone: string): DsData[] {
  const words = new Words(texts.join(' '));
  const signers = new Map<string, DsData>();
  while (words.next !== undefined) {
    const ds = parseOne(words, zone);
    signers.set(dsPresentation(ds), ds);
  }
  return [...signers.values()];
}

function parseOne(words: Words, zone: string): DsData {
  const first = words.position;
  skipOwner(words, zone);
  const [keyTag = '', algorithm = '', digestType = ''] = [words.take(), words.take(), words.take()];
  const length = 2 * (DIGEST_BYTES[Number(digestType)] ?? 0);
  let digest = '';
  // Long digests are printed in several parts.
  while (digest.length < length && words.next !== undefined) digest += words.take()?.toUpperCase();
  const ds = { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest };
  const isValid =
    [keyTag, algorithm, digestType].every(isNumber) &&
    ds.keyTag <= MAX_KEY_TAG &&
    // Algorithm 0 asks a parent to delete the DS (RFC 8078); no key has it.
    ds.algorithm > 0 &&
    ds.algorithm <= MAX_ALGORITHM &&
    length > 0 &&
    digest.length === length &&
    /^[0-9A-F]+$/.test(digest);
  if (!isValid)
    throw new CommandError(
      `${words.since(first)} is no DS record: key tag, algorithm (not 0), digest type (1, 2 or 4) and a digest of its length.`,
    );
  return ds;
}

/** The fields of a zone file before the data: name, time to live and class in either order, type. */
function skipOwner(words: Words, zone: string): void {
  const { next } = words;
  if (next !== undefined && !isNumber(next) && !isKeyword(next)) {
    const name = words.take()?.toLowerCase() ?? '';
    if (name !== zone && name !== `${zone}.`)
      throw new CommandError(`${next} is not ${zone}: the record is of another zone.`);
  }
  while (isKeyword(words.next) || (isNumber(words.next) && isKeyword(words.second)))
    if (words.take()?.toUpperCase() === 'DS') return;
}

const isNumber = (word: string | undefined): boolean => word !== undefined && /^\d{1,10}$/.test(word);
const isKeyword = (word: string | undefined): boolean => word !== undefined && /^(?:in|ds)$/i.test(word);

class Words {
  readonly #words: readonly string[];
  position = 0;

  constructor(text: string) {
    this.#words = text.split(/\s+/).filter((word) => word !== '');
  }

  get next(): string | undefined {
    return this.#words[this.position];
  }

  get second(): string | undefined {
    return this.#words[this.position + 1];
  }

  take(): string | undefined {
    const word = this.next;
    this.position += 1;
    return word;
  }

  since(position: number): string {
    return this.#words.slice(position, this.position).join(' ');
  }
}
