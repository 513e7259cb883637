import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import type { DsData } from './zone-record.ts';

/** Stops publication. False if the zone is frozen already, or was never published. */
export async function freezeZone(
  db: Sql,
  zone: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with frozen as (
      update zones set frozen_since = ${at}, frozen_reason = ${reason ?? ''}
      where zone = ${zone} and frozen_since is null returning id, zone)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'zone', id, zone, 'freeze', ${actor}, ${reason ?? null} from frozen returning 1`);
  return rows.length > 0;
}

/** Goes on with what was marked meanwhile. False if the zone is not frozen. */
export async function thawZone(
  db: Sql,
  zone: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with thawed as (
      update zones set frozen_since = null, frozen_reason = null
      where zone = ${zone} and frozen_since is not null returning id, zone)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'zone', id, zone, 'thaw', ${actor}, ${reason ?? null} from thawed returning 1`);
  return rows.length > 0;
}

/** Replaces the delegation signers of a zone, and marks the zone that publishes them. */
export async function setZoneSigners(
  db: Sql,
  { zone, parent }: { readonly zone: string; readonly parent: string },
  signers: readonly DsData[],
  { actor, at, reason }: OperatorChange,
): Promise<void> {
  await db.run(sql`
    with wanted as materialized (
      select * from jsonb_to_recordset(${json(signers)}) as w("keyTag" int, algorithm int, "digestType" int, digest text)),
    removed as (
      delete from zone_delegation_signers s where zone = ${zone} and not exists (
        select from wanted w where (w."keyTag", w.algorithm, w."digestType", w.digest) = (s.key_tag, s.algorithm, s.digest_type, s.digest))),
    added as (
      insert into zone_delegation_signers (zone, key_tag, algorithm, digest_type, digest)
      select ${zone}, "keyTag", algorithm, "digestType", digest from wanted on conflict do nothing),
    marked as (insert into zone_marks (zone, name) values (${parent}, ${zone}))
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'zone', coalesce((select id from zones where zone = ${zone}), 0), ${zone}, 'set delegation signers', ${actor}, ${reason ?? null},
      ${json({ ds: signers })}`);
}
