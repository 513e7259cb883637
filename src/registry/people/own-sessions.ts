import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';
import { type Factor, isLiveSession, type PersonSession } from './person-sessions.ts';

export type OwnSession = {
  readonly id: number;
  readonly registrarName: string;
  readonly factor: Factor;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
};

const MAX_LISTED = 100;

/** The open sessions of a person, the one in use last first. */
export async function listOwnSessions(db: Sql, personId: number, now: Date): Promise<OwnSession[]> {
  return db.rows(sql<OwnSession>`
    select s.id, r.name as "registrarName", s.factor, host(s.address) as address, s.user_agent as "userAgent",
      s.created_at as "createdAt", s.last_seen_at as "lastSeenAt"
    from person_sessions s join registrars r on r.id = s.registrar_id
    where s.person_id = ${personId} and ${isLiveSession(now)}
    order by s.last_seen_at desc, s.id desc limit ${MAX_LISTED}`);
}

/** False if the person has no such open session. */
export async function endOwnSession(db: Sql, id: number, change: PersonChange): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update person_sessions s set ended_at = ${change.now}
      where s.id = ${id} and s.person_id = ${change.personId} and ${isLiveSession(change.now)}
      returning 1)
    ${recordPersonChange('end session', change)}`);
  return rows.length === 1;
}

/** All but the one in which it is asked for. */
export async function endOtherSessions(
  db: Sql,
  { id }: Pick<PersonSession, 'id'>,
  change: PersonChange,
): Promise<void> {
  await db.run(sql`
    with changed as (
      update person_sessions set ended_at = ${change.now}
      where person_id = ${change.personId} and id <> ${id} and ended_at is null
      returning 1)
    ${recordPersonChange('end other sessions', change)}`);
}
