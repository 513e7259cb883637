import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with what every authenticator app supports: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
export const TOTP_SECRET_BYTES = 20;
/** Clocks of phones are late or early. */
const WINDOW_STEPS = [0, -1, 1] as const;
const CODE = /^\d{6}$/;
const ISSUER = 'Cadastre';

export const newTotpSecret = (): Buffer => randomBytes(TOTP_SECRET_BYTES);

export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / STEP_SECONDS);

/** The code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const truncated = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** A recovery code never looks like one. */
export const isTotpCode = (code: string): boolean => CODE.test(code);

/** The time step that a code belongs to; undefined if it is none of this time. */
export function totpStepOf(secret: Uint8Array, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const given = Buffer.from(code);
  return WINDOW_STEPS.map((offset) => totpStepAt(now) + offset).find((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), given),
  );
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** What an authenticator app reads from the QR code. */
export function totpAddress(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`${ISSUER}:${email}`);
  return `otpauth://totp/${label}?${new URLSearchParams({
    secret: base32(secret),
    issuer: ISSUER,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  })}`;
}
