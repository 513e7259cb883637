import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { type Part, part } from '../platform/sql/with.ts';
import { refuse } from './registry-refusals.ts';

const KINDS = {
  domain: { kind: sql`'domain'`, attached: sql`'Domain'` },
  contact: { kind: sql`'contact'`, attached: sql`'Contact'` },
};

/** Part of a statement that removes objects: `changed` has their `key` and `registrar_id`. */
export const rememberRemoved = (of: keyof typeof KINDS, at: Date): Part<'remembered', 'changed'> =>
  part(
    'remembered',
    ['changed'],
    sql`
      insert into removed_objects (object_kind, name_key, registrar_id, removed_at)
      select ${KINDS[of].kind}, key, registrar_id, ${at} from changed
      on conflict (object_kind, name_key, registrar_id) do update set removed_at = excluded.removed_at`,
  );

/** Part of the same statement: messages about the objects, by their `id`, no longer refer to them. */
export const detachMessages = (of: keyof typeof KINDS): Part<'detached', 'changed'> =>
  part(
    'detached',
    ['changed'],
    sql`
      update poll_messages p set attached_obj_type = null, attached_obj_id = null
      from changed where p.attached_obj_type = ${KINDS[of].attached} and p.attached_obj_id = changed.id`,
  );

/** Refuses a missing object: as removed for the registrar that had it, as unknown for all others. */
export async function refuseMissing(
  db: Sql,
  kind: 'domain' | 'contact',
  key: string,
  { registrarId }: { readonly registrarId: number },
): Promise<never> {
  const removed = await db.maybe(sql`
    select from removed_objects where object_kind = ${kind} and name_key = ${key} and registrar_id = ${registrarId}`);
  return refuse(removed ? 'objectGone' : 'objectMissing');
}
