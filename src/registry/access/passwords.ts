import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  promisify<'argon2id', Argon2Parameters, Buffer>(argon2)('argon2id', parameters);
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const PHC = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+))\$([A-Za-z0-9+/]+)$/;

/**
 * An argon2id hash in PHC form, with its own parameters, so that these can grow with the years. A password that is to
 * be valid beside another one shares that one's salt and parameters: one derivation then verifies against both.
 */
export async function hashPassword(password: string, besides?: string): Promise<string> {
  const { prefix, parameters } = parse(besides ?? withFreshSalt(randomBytes(HASH_BYTES)));
  return `${prefix}$${unpadded(await derive({ ...parameters, message: password }))}`;
}

/**
 * The stored hash whose password this is; undefined when it is none of them. Hashes with one salt cost one derivation
 * together, so that the time does not show how many passwords a user has.
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

/** Verified against when the username is unknown, so that this takes as long. Nobody has its password. */
export const NOBODYS_HASH = withFreshSalt(randomBytes(HASH_BYTES));

/** A hash in PHC form with today's parameters and a salt of its own. */
function withFreshSalt(hash: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(randomBytes(16))}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
