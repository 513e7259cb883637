import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Clock } from '../../platform/clock/clock.ts';
import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import { refuse } from '../registry-refusals.ts';
import type { KnownUser } from './known-users.ts';

const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  promisify<'argon2id', Argon2Parameters, Buffer>(argon2)('argon2id', parameters);
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const PHC = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+))\$([A-Za-z0-9+/]+)$/;

/**
 * An argon2id hash in PHC form; it stores its parameters, so these can be raised later. A password valid beside another
 * one shares that one's salt and parameters, so that one derivation verifies against both.
 */
export async function hashPassword(password: string, besides?: string): Promise<string> {
  const { prefix, parameters } = parse(besides ?? withFreshSalt(randomBytes(HASH_BYTES)));
  return `${prefix}$${unpadded(await derive({ ...parameters, message: password }))}`;
}

/**
 * The stored hash that matches this password, or undefined. Hashes with the same salt cost one derivation, so that
 * timing does not reveal how many passwords a user has.
 */
export async function findMatchingHash(
  password: string,
  stored: readonly string[],
): Promise<string | undefined> {
  const derived = new Map<string, Buffer>();
  for (const text of stored) {
    const { prefix, parameters, hash } = parse(text);
    const actual = derived.get(prefix) ?? (await derive({ ...parameters, message: password }));
    derived.set(prefix, actual);
    if (actual.length === hash.length && timingSafeEqual(actual, hash)) return text;
  }
  return undefined;
}

function parse(stored: string) {
  const parts = PHC.exec(stored);
  if (!parts) throw new Error('a stored password hash is not in PHC form');
  const [, prefix = '', memory, passes, parallelism, nonce = '', encoded = ''] = parts;
  const hash = Buffer.from(encoded, 'base64');
  const parameters = {
    nonce: Buffer.from(nonce, 'base64'),
    parallelism: Number(parallelism),
    tagLength: hash.length,
    memory: Number(memory),
    passes: Number(passes),
  };
  return { prefix, parameters, hash };
}

/** Verified against for an unknown username, so that timing does not reveal whether the user exists. It matches no password. */
export const DUMMY_HASH = withFreshSalt(randomBytes(HASH_BYTES));

/** A hash in PHC form with the current parameters and its own salt. */
function withFreshSalt(hash: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(randomBytes(16))}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

export type Credentials = { readonly username: string; readonly password: string };

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The credentials of an Authorization header, standard or URL-safe Base64; undefined if there are none. */
export function parseBasic(header: string | undefined): Credentials | undefined {
  const encoded = header === undefined ? undefined : BASIC.exec(header)?.[1];
  if (encoded === undefined || encoded.length > 1024) return undefined;
  let text: string;
  try {
    text = utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Each verification occupies a core and 19 MB; one core stays free for authenticated requests. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 64;
/** Queue places reserved for known clients, which a flood of guesses cannot take. */
const RESERVED_FOR_KNOWN = 128;
/** Of one registrar, or of one address without a login. */
const MAX_WAITING_OF_ONE = 64;

export type StoredPasswords = Pick<KnownUser, 'passwordHash'> & Partial<Pick<KnownUser, 'previousPassword'>>;

/** `until` is set if the password is being replaced. */
export type Match = { readonly until: Date | undefined };

/** Where a verification waits. */
export type VerificationPlace = {
  readonly isPreferred: boolean;
  /** Who takes turns with others: an account or registrar that is known at its address, or an address. */
  readonly waitsAs: string;
};

/** Verifies passwords with bounded concurrency, known clients first, and each as soon as others; beyond the queue's bound the answer is 503. */
export class PasswordVerifications {
  readonly #clock: Clock;
  readonly #queue = new BoundedQueue(MAX_CONCURRENT, MAX_WAITING, RESERVED_FOR_KNOWN, MAX_WAITING_OF_ONE);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** An unknown user costs as much time as an existing one. */
  async match(
    user: StoredPasswords | undefined,
    password: string,
    { isPreferred, waitsAs }: VerificationPlace,
  ): Promise<Match | undefined> {
    const previous = user?.previousPassword;
    const hashes = [user?.passwordHash ?? DUMMY_HASH];
    if (previous && previous.until > this.#clock.now()) hashes.push(previous.hash);
    const verify = async () => {
      const matching = await findMatchingHash(password, hashes);
      if (matching === undefined) return undefined;
      return { until: matching === user?.passwordHash ? undefined : previous?.until };
    };
    return this.#queue.run(verify, { preferred: isPreferred, key: waitsAs }) ?? refuse('overload');
  }
}
