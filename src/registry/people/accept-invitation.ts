import { runTransaction } from '../../operations/in-transaction.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { tokenHash } from '../../platform/values/token.ts';
import { clearFactors } from './clear-factors.ts';
import { findInvitation, type OpenInvitation } from './find-invitation.ts';
import type { PersonSession } from './person-sessions.ts';

export type NewLogin = { readonly name: string; readonly passwordHash: string };
type Moment = {
  /** By the wall clock. */
  readonly now: Date;
  readonly requestId: string;
};

export type Acceptance =
  | { readonly personId: number }
  /** The invitation is unknown, expired, withdrawn or used. */
  | 'closed'
  /** Somebody with this address works for a registrar, and has to be logged in to accept. */
  | 'existing';

/** For somebody who has no account, or works for no registrar any more and begins again with a new password. */
export function acceptAsNewPerson(
  pool: Pool,
  token: string,
  { name, passwordHash }: NewLogin,
  moment: Moment,
): Promise<Acceptance> {
  const { now } = moment;
  return runTransaction(pool, now, async (db) => {
    const invitation = await lockInvitation(db, token, now);
    if (!invitation) return 'closed';
    const { email, language } = invitation;
    const created = await db.maybe(sql<{ id: number }>`
      insert into people (email, email_key, name, language, password_hash, created_at, updated_at)
      values (${email}, ${email}, ${name}, ${language}, ${passwordHash}, ${now}, ${now})
      on conflict (email_key) do nothing returning id`);
    // A statement of its own: it sees what the one that the insert waited for has committed.
    const person = created ?? (await renewPerson(db, invitation, { name, passwordHash }, now));
    if (!person) return 'existing';
    await join(db, invitation, person.id, moment);
    return { personId: person.id };
  });
}

/** For somebody who is logged in with the address that was invited. */
export function acceptAsMember(
  pool: Pool,
  token: string,
  { personId, email }: Pick<PersonSession, 'personId' | 'email'>,
  moment: Moment,
): Promise<Acceptance> {
  return runTransaction(pool, moment.now, async (db) => {
    const invitation = await lockInvitation(db, token, moment.now);
    if (!invitation) return 'closed';
    const own = await db.maybe(sql`
      select from people where id = ${personId} and email_key = ${invitation.email} and disabled_at is null for update`);
    if (!own) return 'existing';
    await join(db, { ...invitation, email }, personId, moment);
    return { personId };
  });
}

/** Of two who accept at once the second finds it used. */
async function lockInvitation(db: Sql, token: string, now: Date): Promise<OpenInvitation | undefined> {
  await db.run(sql`select from invitations where token_hash = ${tokenHash(token)} for update`);
  return findInvitation(db, token, now);
}

/** Nothing of the login before is left. Undefined for somebody who works for a registrar. */
async function renewPerson(
  db: Sql,
  { email }: OpenInvitation,
  { name, passwordHash }: NewLogin,
  now: Date,
): Promise<{ readonly id: number } | undefined> {
  const changed = sql`
    update people p set name = ${name}, password_hash = ${passwordHash}, disabled_at = null, updated_at = ${now},
      totp_secret = null, totp_last_step = null, identity = null
    where p.email_key = ${email} and not exists (select from memberships m where m.person_id = p.id)
    returning id`;
  return db.maybe(
    WithStatement.from(part('changed', [], changed))
      .and(clearFactors(now))
      .end(['changed'], sql<{ id: number }>`select id from changed`),
  );
}

async function join(
  db: Sql,
  { id, email, registrarId, registrarName, roles }: OpenInvitation,
  personId: number,
  { now, requestId }: Moment,
): Promise<void> {
  const entry = {
    objectKind: 'person',
    objectId: personId,
    objectName: email,
    operation: 'accept invitation',
    registrarId,
    after: { registrar: registrarName, roles },
  };
  const by = { actor: `person:${email}`, now, requestId };
  await db.run(sql`
    with accepted as (update invitations set accepted_at = ${now} where id = ${id}),
    joined as (
      insert into memberships (person_id, registrar_id, roles, created_at)
      values (${personId}, ${registrarId}, ${[...roles]}::text[], ${now})
      on conflict (person_id, registrar_id) do nothing)
    ${insertHistory(entry, by, sql``)}`);
}
