import { type FoundPage, findPage } from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** Something that was changed in the name of a registrar. */
export type RegistrarChange = {
  readonly at: Date;
  readonly objectKind: string;
  readonly objectName: string;
  readonly operation: string;
  /** A user or person of the registrar; null for an operator, whose name is the registry's own affair. */
  readonly actor: string | null;
};

export type ChangeQuery = {
  /** As history writes them; undefined for all. */
  readonly actors: readonly string[] | undefined;
  readonly after: Position | undefined;
};

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
      case when o.actor ~ '^(user|epp|person):' then o.actor end as actor`,
    size,
  );
