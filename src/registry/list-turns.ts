import { QueueFull } from '../platform/concurrency/fair-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { RegistrarScope } from './actor.ts';
import { refuse } from './registry-refusals.ts';

type Lists = Pick<Database, 'replicaLists' | 'listTurns'>;

/**
 * Runs one statement on the list connections when it is the registrar's turn. A further page of an answer that is being
 * streamed is `admitted`: it waits without bound, because it can no longer be refused.
 */
export async function inListTurn<T>(
  { replicaLists, listTurns }: Lists,
  { registrarId }: RegistrarScope,
  work: (db: Sql) => Promise<T>,
  options?: { readonly admitted: boolean },
): Promise<T> {
  try {
    return await listTurns.run(registrarId, () => work(replicaLists), options);
  } catch (error) {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  }
}

/** The same on the primary, for what a change is decided on. */
export const inPrimaryListTurn = <T>(
  { lists, listTurns }: Pick<Database, 'lists' | 'listTurns'>,
  scope: RegistrarScope,
  work: (db: Sql) => Promise<T>,
): Promise<T> => inListTurn({ replicaLists: lists, listTurns }, scope, work);

/** Statements that are each run as a list is, when it is the registrar's turn. */
export const listStatements = (lists: Lists, scope: RegistrarScope): Sql => ({
  rows: (statement) => inListTurn(lists, scope, (db) => db.rows(statement)),
  one: (statement) => inListTurn(lists, scope, (db) => db.one(statement)),
  maybe: (statement) => inListTurn(lists, scope, (db) => db.maybe(statement)),
  run: (statement) => inListTurn(lists, scope, (db) => db.run(statement)),
  script: (text) => inListTurn(lists, scope, (db) => db.script(text)),
});
