import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import type { Membership } from './memberships.ts';
import { emailKey } from './person.ts';

/** False if there is no open invitation of this address for the registrar. */
export async function withdrawInvitation(
  db: Sql,
  { email, registrar }: Membership,
  { actor, at, reason, requestId }: OperatorChange,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update invitations i set withdrawn_at = ${now} from registrars r
      where r.id = i.registrar_id and r.code = ${registrar} and i.email = ${emailKey(email)}
        and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now}
      returning i.id, i.email, i.registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id)
    select ${at}, 'invitation', id, email, 'withdraw', registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null} from changed
    returning 1`);
  return rows.length > 0;
}
