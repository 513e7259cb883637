import type { OperatorContext } from '../../operations/operator-operation.ts';
import { type HistoryEntry, recordHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import { keepsAdministrator, lockRegistrarsOf } from './last-administrator.ts';
import { emailKey } from './person.ts';

/** What a person does for a registrar, named by its code. */
export type Membership = { readonly email: string; readonly registrar: string };

export type MembershipChange = Membership & {
  /** By the wall clock, as everything about logins. */
  readonly wallTime: Date;
};

/** Whether `m`, `p` and `r` of a statement are the membership, its person and its registrar. */
export const isMembership = ({ email, registrar }: Membership, context: OperatorContext): Fragment => sql`
  m.person_id = p.id and m.registrar_id = r.id and p.email_key = ${emailKey(email)} and r.code = ${registrar}
  and ${isWithinRegistrar(sql`r.id`, context)}`;

/** Ends the sessions in which the person of `changed` acts for the registrar there. */
export const endSessionsForRegistrar = (now: Date): Part<'ended', 'changed'> =>
  part(
    'ended',
    ['changed'],
    sql`
    update person_sessions s set ended_at = ${now} from changed
    where s.person_id = changed.id and s.registrar_id = changed.registrar_id and s.ended_at is null`,
  );

export const recordMembershipChange = (
  operation: string,
  context: OperatorContext,
  versions: Pick<HistoryEntry, 'before' | 'after'> = {},
): Part<'recorded', 'changed'> =>
  recordHistory(
    { objectKind: 'person', operation, registrarId: sql`changed.registrar_id`, ...versions },
    context,
  );

/**
 * Carries out a statement that changes a membership if the registrar keeps an administrator, with the registrar locked.
 * False if there is nothing to change: no such membership, or none in the state that is changed.
 */
export async function changeMembership(
  tx: Sql,
  membership: Membership,
  statement: Statement,
  context: OperatorContext,
): Promise<boolean> {
  await lockRegistrarsOf(tx, membership.email, membership.registrar);
  if ((await tx.rows(statement)).length === 1) return true;
  const found = await tx.maybe(sql<{ isLast: boolean }>`
    select not ${keepsAdministrator} as "isLast" from memberships m, people p, registrars r where ${isMembership(membership, context)}`);
  if (found?.isLast) refuse('lastAdministrator', { email: membership.email });
  return false;
}
