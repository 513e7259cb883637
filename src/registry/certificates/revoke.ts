import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Change } from '../registrars/operator.ts';

/**
 * Shuts a certificate out, within seconds on every server, and lets the list be signed anew. Undefined where there is
 * none with this serial number that is still good; the user's name otherwise.
 */
export async function revokeCertificate(
  db: Sql,
  serial: string,
  { actor, at, reason }: Change,
): Promise<string | undefined> {
  const [revoked] = await db.rows(sql<{ username: string }>`
    with revoked as (
      update certificates set revoked_at = ${at}, revocation_reason = ${reason ?? 'not told'}
      where serial = ${serial} and revoked_at is null
      returning user_id, authority_id, serial),
    listed as (update authorities set revocation_list_stale = true where id in (select authority_id from revoked)),
    changed as (update api_users set version = version where id in (select user_id from revoked) returning id, username, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'user', id, username, 'revoke certificate', registrar_id, ${actor}, ${reason ?? null}, jsonb_build_object('serial', ${serial}::text)
    from changed
    returning object_name as username`);
  return revoked?.username;
}
