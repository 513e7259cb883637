import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import { type AuthenticatorKeys, encryptSecret, readSecret } from './authenticator-secrets.ts';
import { createLoginStep, deleteLoginStep, tryLoginStep } from './login-steps.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';
import type { PersonSession } from './person-sessions.ts';
import { newRecoveryCodes, replaceCodes } from './recovery-codes.ts';
import { newTotpSecret, totpStepOf } from './totp.ts';

/** How somebody can prove who it is. */
export type PersonFactors = {
  readonly hasPassword: boolean;
  readonly hasCodeGenerator: boolean;
  readonly unusedRecoveryCodes: number;
  readonly passkeys: number;
  /** Issuer and subject. */
  readonly identity: string | null;
};

export const findFactors = (db: Sql, personId: number): Promise<PersonFactors> =>
  db.one(sql<PersonFactors>`
    select password_hash is not null as "hasPassword", totp_secret is not null as "hasCodeGenerator",
      (select count(*) from recovery_codes c where c.person_id = p.id and c.used_at is null) as "unusedRecoveryCodes",
      (select count(*) from passkeys k where k.person_id = p.id) as passkeys, identity
    from people p where p.id = ${personId}`);

/** The secret is encrypted here too: steps are stored for a day. */
type State = { readonly secret: string };
export type NewCodeGenerator = { readonly token: string; readonly secret: Buffer };

/**
 * A secret for an authenticator app; it counts for nothing before a code of it was seen. Undefined without a key to
 * encrypt it with.
 */
export async function beginCodeGenerator(
  db: Sql,
  { current }: AuthenticatorKeys,
  personId: number,
  now: Date,
): Promise<NewCodeGenerator | undefined> {
  if (!current) return undefined;
  const secret = newTotpSecret();
  const state = { secret: encryptSecret(current, personId, secret).toString('base64') } satisfies State;
  return { secret, token: await createLoginStep(db, 'new code generator', { personId, state }, now) };
}

export type Confirmation =
  | {
      /** Shown once. */
      readonly recoveryCodes: readonly string[];
      /** Of the session, which has risen. */
      readonly sessionToken: string;
    }
  /** The code is wrong, and may be tried again. */
  | { readonly secret: Buffer }
  /** It has to start over. */
  | undefined;

/** From here on a code is asked for at every login by password. All other sessions end: they came without one. */
export async function confirmCodeGenerator(
  db: Pool,
  keys: AuthenticatorKeys,
  { token, code }: { readonly token: string; readonly code: string },
  { id: sessionId }: Pick<PersonSession, 'id'>,
  change: PersonChange,
): Promise<Confirmation> {
  const { personId, now } = change;
  const step = await tryLoginStep<State>(db, 'new code generator', token, now);
  if (step?.personId !== personId) return undefined;
  const secret = readSecret(keys, personId, Buffer.from(step.state.secret, 'base64'))?.secret;
  if (!secret || !keys.current) return undefined;
  const totpStep = totpStepOf(secret, code.replace(/\s/g, ''), now);
  if (totpStep === undefined) return { secret };
  const [recoveryCodes, sessionToken] = [newRecoveryCodes(), newToken()];
  await db.run(sql`
    with changed as (
      update people set totp_secret = ${encryptSecret(keys.current, personId, secret)}, totp_last_step = ${totpStep}, updated_at = ${now}
      where id = ${personId} returning id), ${replaceCodes(recoveryCodes, now)},
    ended as (
      update person_sessions s set ended_at = ${now} from changed
      where s.person_id = changed.id and s.id <> ${sessionId} and s.ended_at is null),
    risen as (
      update person_sessions s set token_hash = ${tokenHash(sessionToken)}, authenticated_at = ${now},
        factor = case s.factor when 'password' then 'password and code' else s.factor end
      from changed where s.person_id = changed.id and s.id = ${sessionId})
    ${recordPersonChange('set up code generator', change)}`);
  await deleteLoginStep(db, token);
  return { recoveryCodes, sessionToken };
}

/** Recovery codes stay with those who have a passkey: they stand in for it. False if there was none to remove. */
export async function removeCodeGenerator(db: Sql, change: PersonChange): Promise<boolean> {
  const { personId, now } = change;
  const rows = await db.rows(sql`
    with changed as (
      update people set totp_secret = null, totp_last_step = null, updated_at = ${now}
      where id = ${personId} and totp_secret is not null returning id),
    cleared as (
      delete from recovery_codes c using changed
      where c.person_id = changed.id and not exists (select from passkeys k where k.person_id = changed.id))
    ${recordPersonChange('remove code generator', change)}`);
  return rows.length === 1;
}
