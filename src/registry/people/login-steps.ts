import { codeOf } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';

export type StepKind =
  | 'second factor'
  | 'passkey'
  | 'new passkey'
  | 'new code generator'
  | 'identity provider'
  | 'held form'
  | 'password recovery';

/** What the next request of a login, or of the set-up of a factor, has to know. */
export type LoginStep<State> = { readonly personId: number | null; readonly state: State };

/** Time to look for a phone, and to mistype. */
const STEP_MINUTES = 5;
export const MAX_TRIES_OF_STEP = 5;

/** Returns the token that the next request names it by. */
export async function createLoginStep(
  db: Sql,
  kind: StepKind,
  { personId, state }: LoginStep<Readonly<Record<string, unknown>>>,
  now: Date,
): Promise<string> {
  const token = newToken();
  await db.run(sql`
    insert into login_steps (token_hash, kind, person_id, state, created_at, expires_at)
    values (${tokenHash(token)}, ${kind}, ${personId}, ${json(state)}, ${now}, ${now}::timestamptz + make_interval(mins => ${STEP_MINUTES}))`);
  return token;
}

/** The step of a token, which nobody can take a second time; undefined if there is none, or it is too old. */
export async function takeLoginStep<State>(
  db: Sql,
  kind: StepKind,
  token: string,
  now: Date,
): Promise<LoginStep<State> | undefined> {
  return db.maybe(sql<LoginStep<State>>`
    delete from login_steps where kind = ${kind} and token_hash = ${tokenHash(token)} and expires_at > ${now}
    returning person_id as "personId", state`);
}

/** The same for a step at which somebody may mistype: it stays, and counts the try. */
export async function tryLoginStep<State>(
  db: Sql,
  kind: StepKind,
  token: string,
  now: Date,
): Promise<LoginStep<State> | undefined> {
  return db.maybe(sql<LoginStep<State>>`
    update login_steps l set state = jsonb_set(l.state, '{tries}', to_jsonb(coalesce((l.state->>'tries')::int, 0) + 1))
    where l.kind = ${kind} and l.token_hash = ${tokenHash(token)} and l.expires_at > ${now}
      and coalesce((l.state->>'tries')::int, 0) < ${MAX_TRIES_OF_STEP}
    returning l.person_id as "personId", l.state`);
}

export async function deleteLoginStep(db: Sql, token: string): Promise<void> {
  await db.run(sql`delete from login_steps where token_hash = ${tokenHash(token)}`);
}

const CHECK_VIOLATION = '23514';

/** Whether the schema does not know the kind of a step yet: that of 0.5.0 has neither held forms nor recoveries. */
export const isUnknownKind = (error: unknown): boolean => codeOf(error) === CHECK_VIOLATION;
