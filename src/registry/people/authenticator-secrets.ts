import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { TOTP_SECRET_BYTES } from './totp.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of an encrypted secret. */
const FORMAT = 1;
const ENCRYPTED_BYTES = 1 + NONCE_BYTES + TOTP_SECRET_BYTES + TAG_BYTES;
/** Another purpose of the same setting would have another key. */
const PURPOSE = 'cadastre: secrets of authenticator apps';

/** Keys of the secrets of authenticator apps. Without a current one nothing is encrypted, and nobody sets up an app. */
export type AuthenticatorKeys = {
  readonly current: Buffer | undefined;
  /** Decrypts only: that of a CONSOLE_SECRET that is being replaced. */
  readonly previous: Buffer | undefined;
};

type RegistrySecrets = {
  readonly consoleSecret: string | undefined;
  readonly consoleSecretPrevious: string | undefined;
};

export const authenticatorKeys = ({
  consoleSecret,
  consoleSecretPrevious,
}: RegistrySecrets): AuthenticatorKeys => ({
  current: derivedKey(consoleSecret),
  previous: derivedKey(consoleSecretPrevious),
});

const derivedKey = (secret: string | undefined): Buffer | undefined =>
  secret === undefined ? undefined : Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));

/** A format byte, the nonce, the ciphertext, the tag. It belongs to the person: copied to another one it is not readable. */
export function encryptSecret(key: Buffer, personId: number, secret: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(owner(personId));
  return Buffer.concat([
    Buffer.of(FORMAT),
    nonce,
    cipher.update(secret),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

export type StoredSecret = {
  readonly secret: Buffer;
  /** False for one in clear text, as they were stored once, and for one of the previous key. */
  readonly isCurrent: boolean;
};

/** Undefined if neither key decrypts it for this person. */
export function readSecret(
  { current, previous }: AuthenticatorKeys,
  personId: number,
  stored: Buffer,
): StoredSecret | undefined {
  if (stored.length === TOTP_SECRET_BYTES) return { secret: stored, isCurrent: false };
  if (stored.length !== ENCRYPTED_BYTES || stored[0] !== FORMAT) return undefined;
  const byCurrent = current && decrypt(current, personId, stored);
  if (byCurrent) return { secret: byCurrent, isCurrent: true };
  const byPrevious = previous && decrypt(previous, personId, stored);
  return byPrevious && { secret: byPrevious, isCurrent: false };
}

function decrypt(key: Buffer, personId: number, stored: Buffer): Buffer | undefined {
  const nonce = stored.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(owner(personId))
    .setAuthTag(stored.subarray(-TAG_BYTES));
  const text = decipher.update(stored.subarray(1 + NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}

const owner = (personId: number): Buffer => Buffer.from(`person ${personId}`);
