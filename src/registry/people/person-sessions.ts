import { insertHistory } from '../../operations/record-history.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import type { PersonLanguage, PersonRole } from './person.ts';

/** How a person proved who it is. */
export type Factor =
  | 'password'
  | 'password and code'
  | 'password and recovery code'
  | 'passkey'
  | 'identity provider';

const IDLE_MINUTES = 30;
const MAX_HOURS = 12;
/** How often a session in use is written. */
const SEEN_INTERVAL_MS = 60_000;
const MAX_USER_AGENT = 300;

export type PersonSession = {
  readonly id: number;
  readonly personId: number;
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  readonly registrarId: number;
  readonly registrarCode: string;
  readonly registrarName: string;
  readonly roles: readonly PersonRole[];
  /** The other registrars that the person works for, by code. */
  readonly others: readonly { readonly code: string; readonly name: string }[];
  readonly factor: Factor;
  readonly createdAt: Date;
  readonly authenticatedAt: Date;
  readonly lastSeenAt: Date;
  /** Whether the registrar lets its people in from where the request came. */
  readonly isAddressAllowed: boolean;
};

export type SessionClient = { readonly address: string; readonly userAgent: string };

type NewSession = SessionClient & {
  readonly personId: number;
  /** The registrar to act for; the first by its name if undefined. */
  readonly registrarId?: number | undefined;
  readonly factor: Factor;
  readonly requestId: string;
};

/** Begins a session and records it in history. Undefined for somebody who works for no active registrar, or comes from where none lets people in. */
export async function beginSession(
  db: Sql,
  { personId, registrarId, factor, address, userAgent, requestId }: NewSession,
  now: Date,
): Promise<string | undefined> {
  const token = newToken();
  const entry = {
    objectKind: 'person',
    objectId: sql`p.id`,
    objectName: sql`p.email`,
    operation: `log in by ${factor}`,
    registrarId: sql`begun.registrar_id`,
  };
  const rows = await db.rows(sql`
    with begun as (
      insert into person_sessions (token_hash, person_id, registrar_id, factor, address, user_agent, created_at, authenticated_at, last_seen_at)
      select ${tokenHash(token)}, p.id, r.id, ${factor}, ${address}::inet, ${userAgent.slice(0, MAX_USER_AGENT)}, ${now}, ${now}, ${now}
      from people p join memberships m on m.person_id = p.id join registrars r on r.id = m.registrar_id
      where p.id = ${personId} and p.disabled_at is null and m.disabled_at is null and r.suspended_at is null and ${isAllowedFrom(address)}
      order by (r.id = ${registrarId ?? null}::bigint) desc nulls last, r.name limit 1
      returning id, person_id, registrar_id)
    ${insertHistory(entry, { actor: sql`'person:' || p.email`, now, requestId }, sql`from begun join people p on p.id = begun.person_id`)}
    returning 1`);
  return rows.length === 1 ? token : undefined;
}

/** The session of a token, unless it has ended, was idle for too long, or its person or registrar may not act any more. */
export async function findSession(
  db: Sql,
  token: string,
  { address }: Pick<SessionClient, 'address'>,
  now: Date,
): Promise<PersonSession | undefined> {
  return db.maybe(sql<PersonSession>`
    select s.id, p.id as "personId", p.email, p.name, p.language, r.id as "registrarId", r.code as "registrarCode",
      r.name as "registrarName", m.roles, s.factor, s.created_at as "createdAt", s.authenticated_at as "authenticatedAt", s.last_seen_at as "lastSeenAt",
      ${isAllowedFrom(address)} as "isAddressAllowed",
      (select coalesce(json_agg(json_build_object('code', o.code, 'name', o.name) order by o.name), '[]')
        from memberships om join registrars o on o.id = om.registrar_id
        where om.person_id = p.id and om.registrar_id <> r.id and om.disabled_at is null and o.suspended_at is null) as others
    from person_sessions s join people p on p.id = s.person_id
      join memberships m on m.person_id = p.id and m.registrar_id = s.registrar_id
      join registrars r on r.id = s.registrar_id
    where s.token_hash = ${tokenHash(token)} and p.disabled_at is null and m.disabled_at is null and r.suspended_at is null and ${isLiveSession(now)}`);
}

/** Whether the registrar `r` of the statement lets people in from an address; one without a list does from any. */
const isAllowedFrom = (address: string): Fragment => sql`(
  not exists (select from console_addresses a where a.registrar_id = r.id)
  or exists (select from console_addresses a where a.registrar_id = r.id and a.range >>= ${address}::inet))`;

/** Whether the session `s` of the statement neither ended nor expired. */
export const isLiveSession = (now: Date): Fragment => sql`(s.ended_at is null
  and s.last_seen_at > ${now}::timestamptz - make_interval(mins => ${IDLE_MINUTES})
  and s.created_at > ${now}::timestamptz - make_interval(hours => ${MAX_HOURS}))`;

/** At most once a minute. */
export async function noteSeen(db: Pool, { id, lastSeenAt }: PersonSession, now: Date): Promise<void> {
  if (now.getTime() - lastSeenAt.getTime() < SEEN_INTERVAL_MS) return;
  await db.run(
    sql`update person_sessions set last_seen_at = ${now} where id = ${id} and last_seen_at < ${now}`,
  );
}

export async function endSession(db: Pool, { id }: Pick<PersonSession, 'id'>, now: Date): Promise<void> {
  await db.run(sql`update person_sessions set ended_at = ${now} where id = ${id} and ended_at is null`);
}

/** Acts for another registrar of the person from now on. False if the person does not work for it. */
export async function switchRegistrar(
  db: Pool,
  session: PersonSession,
  code: string,
  { address }: Pick<SessionClient, 'address'>,
): Promise<boolean> {
  const rows = await db.rows(sql`
    update person_sessions s set registrar_id = r.id
    from registrars r join memberships m on m.registrar_id = r.id
    where s.id = ${session.id} and r.code = ${code} and m.person_id = s.person_id and m.disabled_at is null and r.suspended_at is null
      and ${isAllowedFrom(address)}
    returning 1`);
  return rows.length === 1;
}

export async function changeLanguage(db: Pool, personId: number, language: PersonLanguage): Promise<void> {
  await db.run(sql`update people set language = ${language} where id = ${personId}`);
}
