import { type FoundPage, findPage } from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { type Author, authorKind } from './change-author.ts';

/** Something that was changed in the name of a registrar. */
export type RegistrarChange = {
  readonly at: Date;
  readonly objectKind: string;
  readonly objectName: string;
  readonly operation: string;
  /** A user or person of the registrar; null if somebody else acted. */
  readonly actor: string | null;
  readonly author: Author | null;
  /** Of a transfer: the codes of the contacts that were copied with it. */
  readonly copies: readonly string[];
};

export type ChangeQuery = {
  /** As history writes them; undefined for all. */
  readonly actors: readonly string[] | undefined;
  readonly after: Position | undefined;
};

/** Looked up by the contacts that the domain has since: a request can transfer many domains at one time. */
const COPIES = sql`
  case when o.operation = 'transfer' and o.object_kind = 'domain' then array(
    select c.object_name from history c
    where c.object_kind = 'contact' and c.operation = 'copy' and c.registrar_id = o.registrar_id and c.at = o.at
      and c.object_name in (select o.after ->> 'registrant'
        union select jsonb_array_elements_text(o.after -> 'admin_contacts')
        union select jsonb_array_elements_text(o.after -> 'tech_contacts'))
    order by c.id) else '{}' end`;

/** One page, newest first. The index of the order has the actors. */
export const findChanges = (
  db: Sql,
  { actors, after }: ChangeQuery,
  size: number,
  { registrarId }: RegistrarScope,
): Promise<FoundPage<RegistrarChange>> =>
  findPage(
    db,
    {
      table: sql`history`,
      registrarId,
      sort: '-at',
      after,
      columns: { at: { column: sql`o.at`, type: 'time' } },
      range: sql`true`,
      entryColumns: sql`o.actor`,
      entryTest: (of) => (actors ? sql`${of}.actor = any(${actors}::text[])` : sql`true`),
      rowTest: undefined,
      candidates: undefined,
    },
    sql<RegistrarChange>`
      o.at, o.object_kind as "objectKind", o.object_name as "objectName", o.operation,
      case when o.actor ~ '^(user|epp|person):' then o.actor end as actor, ${authorKind(sql`o.actor`)} as author, ${COPIES} as copies`,
    size,
  );
