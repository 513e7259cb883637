import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { type Fragment, json, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { keepsAdministrator, lockRegistrarsOf } from './last-administrator.ts';
import { emailKey, type PersonRole } from './person.ts';

/** What a person does for a registrar, named by its code. */
export type Membership = { readonly email: string; readonly registrar: string };

export type MembershipOutcome =
  | 'changed'
  /** The person does not work for the registrar, or is as it shall be. */
  | 'unknown'
  /** The registrar would have no administrator. */
  | 'last administrator';

/** Sessions have the new roles from their next request on. */
export function setPersonRoles(
  db: Pool,
  membership: Membership,
  roles: readonly PersonRole[],
  change: OperatorChange,
): Promise<MembershipOutcome> {
  const isAllowed = roles.includes('admin') ? sql`true` : keepsAdministrator;
  return changeMembership(db, membership, change.at, (tx) =>
    tx.rows(sql`
      with changed as (
        update memberships m set roles = ${[...roles]}::text[]
        from people p, registrars r, memberships before
        where ${isMembership(membership)} and before.person_id = m.person_id and before.registrar_id = m.registrar_id
          and ${isAllowed}
        returning p.id, p.email, r.id as registrar_id, before.roles as before)
      ${recordMembershipChange('roles', change, {
        before: sql`jsonb_build_object('roles', to_jsonb(before))`,
        after: sql`${json({ roles: [...roles] })}`,
      })}`),
  );
}

/** Shuts somebody out of one registrar, and ends the sessions that act for it. */
export const disableMembership = (
  db: Pool,
  membership: Membership,
  change: OperatorChange,
  now: Date,
): Promise<MembershipOutcome> =>
  changeMembership(db, membership, change.at, (tx) =>
    tx.rows(sql`
      with changed as (
        update memberships m set disabled_at = ${now} from people p, registrars r
        where ${isMembership(membership)} and m.disabled_at is null and ${keepsAdministrator}
        returning p.id, p.email, r.id as registrar_id),
      ${endSessionsForRegistrar(now)}
      ${recordMembershipChange('disable at registrar', change)}`),
  );

/** False if the person is not shut out of the registrar. */
export async function enableMembership(
  db: Sql,
  membership: Membership,
  change: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update memberships m set disabled_at = null from people p, registrars r
      where ${isMembership(membership)} and m.disabled_at is not null
      returning p.id, p.email, r.id as registrar_id)
    ${recordMembershipChange('enable at registrar', change)}`);
  return rows.length === 1;
}

/** False if the person has no session that acts for the registrar. */
export async function endMemberSessions(
  db: Sql,
  membership: Membership,
  change: OperatorChange,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with member as (
      select p.id, p.email, r.id as registrar_id from memberships m, people p, registrars r where ${isMembership(membership)}),
    ended as (
      update person_sessions s set ended_at = ${now} from member
      where s.person_id = member.id and s.registrar_id = member.registrar_id and s.ended_at is null
      returning s.id),
    changed as (select * from member where exists (select from ended))
    ${recordMembershipChange('end sessions', change)}`);
  return rows.length === 1;
}

/**
 * Ends what a person does for a registrar. Somebody who works for no other one is disabled, and begins again with the
 * next invitation.
 */
export const removeMembership = (
  db: Pool,
  membership: Membership,
  change: OperatorChange,
  now: Date,
): Promise<MembershipOutcome> =>
  changeMembership(db, membership, change.at, (tx) =>
    tx.rows(sql`
      with changed as (
        delete from memberships m using people p, registrars r
        where ${isMembership(membership)} and ${keepsAdministrator}
        returning p.id, p.email, r.id as registrar_id, m.roles),
      ${endSessionsForRegistrar(now)},
      disabled as (
        update people p set disabled_at = ${now}, updated_at = ${now} from changed
        where p.id = changed.id and p.disabled_at is null and not exists (
          select from memberships o where o.person_id = p.id and o.registrar_id <> changed.registrar_id))
      ${recordMembershipChange('remove from registrar', change, {
        before: sql`${json({ registrar: membership.registrar })} || jsonb_build_object('roles', to_jsonb(roles))`,
        after: sql`null::jsonb`,
      })}`),
  );

const isMembership = ({ email, registrar }: Membership): Fragment => sql`
  m.person_id = p.id and m.registrar_id = r.id and p.email_key = ${emailKey(email)} and r.code = ${registrar}`;

const endSessionsForRegistrar = (now: Date): Fragment => sql`
  ended as (
    update person_sessions s set ended_at = ${now} from changed
    where s.person_id = changed.id and s.registrar_id = changed.registrar_id and s.ended_at is null)`;

type Versions = { readonly before: Fragment; readonly after: Fragment };
const NO_VERSIONS: Versions = { before: sql`null::jsonb`, after: sql`null::jsonb` };

const recordMembershipChange = (
  operation: string,
  { actor, at, reason, requestId }: OperatorChange,
  { before, after }: Versions = NO_VERSIONS,
): Fragment => sql`
  insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id, before, after)
  select ${at}, 'person', id, email, ${operation}, registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null}, ${before}, ${after}
  from changed
  returning 1`;

/** With the registrar locked. The second reason for no change is told apart by what is there then. */
function changeMembership(
  db: Pool,
  membership: Membership,
  at: Date,
  persist: (tx: Sql) => Promise<readonly unknown[]>,
): Promise<MembershipOutcome> {
  return runTransaction(db, at, async (tx) => {
    await lockRegistrarsOf(tx, membership.email, membership.registrar);
    if ((await persist(tx)).length === 1) return 'changed';
    const kept = await tx.maybe(sql<{ isLast: boolean }>`
      select not ${keepsAdministrator} as "isLast" from memberships m, people p, registrars r where ${isMembership(membership)}`);
    return kept?.isLast ? 'last administrator' : 'unknown';
  });
}
