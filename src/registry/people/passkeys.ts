import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import { createLoginStep, takeLoginStep } from './login-steps.ts';
import {
  authenticationOptions,
  parseResponse,
  type RelyingParty,
  registrationOptions,
  userHandleOf,
  verifyAuthentication,
  verifyRegistration,
} from './passkey-ceremony.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';
import type { PersonSession } from './person-sessions.ts';

export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME = 60;

export type Passkey = {
  readonly id: number;
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

export const listPasskeys = (db: Sql, personId: number): Promise<Passkey[]> =>
  db.rows(sql<Passkey>`
    select id, credential_id as "credentialId", transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where person_id = ${personId} order by id`);

/** What a browser is asked, and the token of the step that waits for its answer. */
export type PasskeyRequest = { readonly token: string; readonly options: object };
export type PasskeyAnswer = { readonly token: string; readonly response: string };
type Challenge = { readonly challenge: string };

/** Undefined for somebody who has as many as there may be. */
export async function beginPasskey(
  db: Sql,
  party: RelyingParty,
  { personId, email, name }: Pick<PersonSession, 'personId' | 'email' | 'name'>,
  now: Date,
): Promise<PasskeyRequest | undefined> {
  const passkeys = await listPasskeys(db, personId);
  if (passkeys.length >= MAX_PASSKEYS) return undefined;
  const options = await registrationOptions(party, { personId, email, name, passkeys });
  const state: Challenge = { challenge: options.challenge };
  return { options, token: await createLoginStep(db, 'new passkey', { personId, state }, now) };
}

/** Stores a new passkey. Returns the new token of the session, whose rights have risen; undefined if it is not accepted. */
export async function addPasskey(
  db: Sql,
  party: RelyingParty,
  { token, response, name }: PasskeyAnswer & { readonly name: string },
  { id: sessionId }: Pick<PersonSession, 'id'>,
  change: PersonChange,
): Promise<string | undefined> {
  const { personId, now } = change;
  const step = await takeLoginStep<Challenge>(db, 'new passkey', token, now);
  const answer = parseResponse<RegistrationResponseJSON>(response);
  if (step?.personId !== personId || !answer) return undefined;
  const credential = await verifyRegistration(answer, { ...party, ...step.state });
  if (!credential) return undefined;
  const { id, publicKey, counter, transports = [] } = credential;
  const sessionToken = newToken();
  const rows = await db.rows(sql`
    with changed as (
      insert into passkeys (person_id, credential_id, public_key, counter, transports, name, created_at)
      select p.id, ${id}, ${Buffer.from(publicKey)}, ${counter}, ${[...transports]}::text[], ${name}, ${now}
      from people p where p.id = ${personId} and (select count(*) from passkeys k where k.person_id = p.id) < ${MAX_PASSKEYS}
      on conflict (credential_id) do nothing
      returning person_id),
    risen as (
      update person_sessions s set token_hash = ${tokenHash(sessionToken)}, authenticated_at = ${now}, factor = 'passkey'
      from changed where s.person_id = changed.person_id and s.id = ${sessionId})
    ${recordPersonChange('add passkey', change)}`);
  return rows.length === 1 ? sessionToken : undefined;
}

/** False if the person has no such passkey. */
export async function removePasskey(db: Sql, id: number, change: PersonChange): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (delete from passkeys where id = ${id} and person_id = ${change.personId} returning 1)
    ${recordPersonChange('remove passkey', change)}`);
  return rows.length === 1;
}

type LoginState = Challenge & { readonly next: string };

export async function beginPasskeyLogin(
  db: Sql,
  party: RelyingParty,
  next: string,
  now: Date,
): Promise<PasskeyRequest> {
  const options = await authenticationOptions(party);
  const state: LoginState = { challenge: options.challenge, next };
  return { options, token: await createLoginStep(db, 'passkey', { personId: null, state }, now) };
}

type Known = {
  readonly personId: number;
  readonly publicKey: Buffer;
  readonly counter: number;
};
export type PasskeyLogin = { readonly personId: number; readonly factor: 'passkey'; readonly next: string };

/** Who has signed; undefined for whatever is wrong with it. */
export async function verifyPasskey(
  db: Sql,
  party: RelyingParty,
  { token, response }: PasskeyAnswer,
  now: Date,
): Promise<PasskeyLogin | undefined> {
  const step = await takeLoginStep<LoginState>(db, 'passkey', token, now);
  const answer = parseResponse<AuthenticationResponseJSON>(response);
  const known = step && answer && (await findPasskey(db, answer.id));
  if (!known) return undefined;
  const { personId, publicKey, counter } = known;
  const handle = answer.response?.userHandle;
  if (handle !== undefined && handle !== Buffer.from(userHandleOf(personId)).toString('base64url'))
    return undefined;
  const credential = { id: answer.id, publicKey: new Uint8Array(publicKey), counter };
  const { challenge, next } = step.state;
  const newCounter = await verifyAuthentication(answer, credential, { ...party, challenge });
  if (newCounter === undefined) return undefined;
  // A copy of the key may be used at the same time: only one of them is let in.
  const noted = await db.run(sql`
    update passkeys set counter = ${newCounter}, last_used_at = ${now}
    where credential_id = ${answer.id} and counter = ${counter}`);
  return noted === 1 ? { personId, factor: 'passkey', next } : undefined;
}

const findPasskey = (db: Sql, credentialId: string): Promise<Known | undefined> =>
  db.maybe(sql<Known>`
    select k.person_id as "personId", k.public_key as "publicKey", k.counter
    from passkeys k join people p on p.id = k.person_id
    where k.credential_id = ${credentialId} and p.disabled_at is null`);
