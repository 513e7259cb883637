import { classifyDatabaseError, isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { decideView, type SavedView, type ViewDecision, type ViewedList, viewNameKey } from './saved-view.ts';

/** Whose views of which list. */
export type ViewOwner = {
  readonly personId: number;
  readonly registrarId: number;
  readonly list: ViewedList;
};

type Placed = SavedView & { readonly place: number };

const ownedBy = ({ personId, registrarId, list }: ViewOwner): Fragment =>
  sql`person_id = ${personId} and registrar_id = ${registrarId} and list = ${list}`;

/** By name. */
export async function listSavedViews(db: Sql, owner: ViewOwner): Promise<Placed[]> {
  try {
    return await db.rows(sql<Placed>`
      select id, name, query, place from saved_views where ${ownedBy(owner)} and place is not null order by name_key`);
  } catch (error) {
    // Until the schema is migrated during an upgrade.
    if (isNotInSchema(error)) return [];
    throw error;
  }
}

export type ViewOutcome = 'done' | 'missing' | Extract<ViewDecision, { problem: string }>['problem'];

/** Two tabs of a browser may take the same place, or the same name. */
const ATTEMPTS = 5;

async function attempted(attempt: () => Promise<ViewOutcome | 'lost'>): Promise<ViewOutcome> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const outcome = await attempt().catch((error: unknown) => {
      if (classifyDatabaseError(error) !== 'conflict') throw error;
      return 'lost' as const;
    });
    if (outcome !== 'lost') return outcome;
  }
  return 'missing';
}

type NewView = Pick<SavedView, 'name' | 'query'> & { readonly now: Date };

/** The same view, saved twice, is saved once. */
export const saveView = (db: Sql, owner: ViewOwner, { name, query, now }: NewView): Promise<ViewOutcome> =>
  attempted(async () => {
    const views = await listSavedViews(db, owner);
    if (views.some((view) => view.name === name && view.query === query)) return 'done';
    const decided = decideView(views, { name });
    if ('problem' in decided) return decided.problem;
    const { personId, registrarId, list } = owner;
    const saved = await db.run(sql`
      insert into saved_views (person_id, registrar_id, list, place, name, name_key, query, created_at)
      values (${personId}, ${registrarId}, ${list}, ${decided.place}, ${name}, ${viewNameKey(name)}, ${query}, ${now})
      on conflict do nothing`);
    return saved === 1 ? 'done' : 'lost';
  });

export const renameView = (
  db: Sql,
  owner: ViewOwner,
  { id, name }: Pick<SavedView, 'id' | 'name'>,
): Promise<ViewOutcome> =>
  attempted(async () => {
    const views = await listSavedViews(db, owner);
    if (!views.some((view) => view.id === id)) return 'missing';
    const isTaken = views.some((view) => view.id !== id && viewNameKey(view.name) === viewNameKey(name));
    if (isTaken) return 'nameTaken';
    const renamed = await db.run(sql`
      update saved_views set name = ${name}, name_key = ${viewNameKey(name)}
      where id = ${id} and ${ownedBy(owner)} and place is not null`);
    return renamed === 1 ? 'done' : 'lost';
  });

/** It can be brought back until the next one is removed. */
export async function removeView(db: Sql, owner: ViewOwner, { id }: Pick<SavedView, 'id'>): Promise<boolean> {
  const rows = await db.rows(sql`
    with removed as (
      update saved_views set place = null where id = ${id} and ${ownedBy(owner)} and place is not null returning id),
    forgotten as (
      delete from saved_views where ${ownedBy(owner)} and place is null and id <> ${id} and exists (select from removed))
    select id from removed`);
  return rows.length === 1;
}

export const restoreView = (db: Sql, owner: ViewOwner, { id }: Pick<SavedView, 'id'>): Promise<ViewOutcome> =>
  attempted(async () => {
    const views = await listSavedViews(db, owner);
    if (views.some((view) => view.id === id)) return 'done';
    const removed = await db.maybe(
      sql<{
        name: string;
      }>`select name from saved_views where id = ${id} and ${ownedBy(owner)} and place is null`,
    );
    if (!removed) return 'missing';
    const decided = decideView(views, removed);
    if ('problem' in decided) return decided.problem;
    const restored = await db.run(sql`
      update saved_views set place = ${decided.place} where id = ${id} and ${ownedBy(owner)} and place is null`);
    return restored === 1 ? 'done' : 'lost';
  });
