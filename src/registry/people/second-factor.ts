import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { tokenHash } from '../../platform/values/token.ts';
import type { LoginLimits } from '../access/login-limits.ts';
import { refuse } from '../registry-refusals.ts';
import { type AuthenticatorKeys, encryptSecret, readSecret } from './authenticator-secrets.ts';
import { createLoginStep, deleteLoginStep } from './login-steps.ts';
import type { Factor } from './person-sessions.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { isTotpCode, totpStepOf } from './totp.ts';
import { type CodeState, type TooManyTries, tryCode } from './try-code.ts';

type Attempt = { readonly token: string; readonly code: string; readonly address: string };
export type VerifiedCode = { readonly personId: number; readonly factor: Factor; readonly next: string };

/** For somebody whose password was right. Returns the token of the step. */
export const askForCode = (db: Sql, personId: number, next: string, now: Date): Promise<string> =>
  createLoginStep(db, 'second factor', { personId, state: { next } satisfies CodeState }, now);

/**
 * Verifies a code of the code generator, or a recovery code. Undefined where the password has to be asked for again;
 * a wrong code is refused, and counted as a failed login. A secret that cannot be decrypted is our fault and is not
 * counted; recovery codes are accepted all the same.
 */
export async function verifyCode(
  db: Pool,
  keys: AuthenticatorKeys,
  limits: LoginLimits,
  { token, code, address }: Attempt,
  now: Date,
): Promise<VerifiedCode | TooManyTries | 'unreadable secret' | undefined> {
  const counted = await tryCode(db, { token: tokenHash(token), address }, now);
  if (!counted || 'secondsToWait' in counted) return counted;
  const { personId, emailKey, isAddressKnown, stored, next } = counted;
  const factor = await limits.attempt({ name: emailKey, address }, async (attempt) => {
    attempt.recognise(isAddressKnown);
    const matching = await matchingFactor(db, keys, { personId, stored }, code, now);
    if (matching === undefined) attempt.fail();
    return matching ?? refuse('badCredentials');
  });
  if (factor === 'unreadable secret') return factor;
  await deleteLoginStep(db, token);
  return { personId, factor, next };
}

type OwnedSecret = { readonly personId: number; readonly stored: Buffer | null };

async function matchingFactor(
  db: Sql,
  keys: AuthenticatorKeys,
  { personId, stored }: OwnedSecret,
  code: string,
  now: Date,
): Promise<Factor | 'unreadable secret' | undefined> {
  const typed = code.replace(/\s/g, '');
  if (stored === null || !isTotpCode(typed))
    return (await takeRecoveryCode(db, personId, typed, now)) ? 'password and recovery code' : undefined;
  const read = readSecret(keys, personId, stored);
  if (!read) return 'unreadable secret';
  const step = totpStepOf(read.secret, typed, now);
  if (step === undefined) return undefined;
  const renewed =
    keys.current && !read.isCurrent ? encryptSecret(keys.current, personId, read.secret) : stored;
  return (await takeTotpStep(db, personId, step, { stored, renewed })) ? 'password and code' : undefined;
}

/**
 * False for a code that was accepted before, and for one that is older than that. The secret is stored again where it
 * was not encrypted with the current key, unless another login has done so since it was read.
 */
async function takeTotpStep(
  db: Sql,
  personId: number,
  step: number,
  { stored, renewed }: { readonly stored: Buffer; readonly renewed: Buffer },
): Promise<boolean> {
  const taken = await db.run(sql`
    update people set totp_last_step = ${step},
      totp_secret = case when totp_secret = ${stored} then ${renewed} else totp_secret end
    where id = ${personId} and totp_secret is not null and (totp_last_step is null or totp_last_step < ${step})`);
  return taken === 1;
}
