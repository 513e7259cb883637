import { type FairQueue, QueueFull } from '../platform/concurrency/fair-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { RegistrarScope } from './actor.ts';
import { refuse } from './registry-refusals.ts';

type Lists = Pick<Database, 'reads' | 'replicaLists' | 'replicaCounts' | 'listTurns'>;
type ListOptions = {
  readonly admitted?: boolean;
  /** It takes no longer than the read of one object, and no turn either, unless a replica has the lists. */
  readonly isShort?: boolean;
};

/** Entries of an index that a short list may skip. */
const MAX_SKIPPED = 1_000;

/** Whether a page of one column, which an index has, is short. */
export const isShortPage = ({ offset }: { readonly offset: number }): boolean => offset <= MAX_SKIPPED;

/**
 * Runs one statement on the list connections when it is the registrar's turn. A further page of an answer that is being
 * streamed is `admitted`: it waits without bound, because it can no longer be refused.
 */
export async function inListTurn<T>(
  { reads, replicaLists, replicaCounts, listTurns }: Lists,
  scope: RegistrarScope,
  work: (db: Sql) => Promise<T>,
  { admitted = false, isShort = false }: ListOptions = {},
): Promise<T> {
  if (isShort && !replicaCounts) return work(reads);
  return inTurn(listTurns, scope, () => work(replicaLists), admitted);
}

/** The same on the primary, for what a change is decided on. */
export const inPrimaryListTurn = <T>(
  { lists, listTurns }: Pick<Database, 'lists' | 'listTurns'>,
  scope: RegistrarScope,
  work: (db: Sql) => Promise<T>,
): Promise<T> => inTurn(listTurns, scope, () => work(lists), false);

async function inTurn<T>(
  turns: FairQueue<number>,
  { registrarId }: RegistrarScope,
  work: () => Promise<T>,
  admitted: boolean,
): Promise<T> {
  try {
    return await turns.run(registrarId, work, { admitted });
  } catch (error) {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  }
}

/** Statements that are each run as a list is, when it is the registrar's turn. */
export const listStatements = (lists: Lists, scope: RegistrarScope): Sql => ({
  rows: (statement) => inListTurn(lists, scope, (db) => db.rows(statement)),
  one: (statement) => inListTurn(lists, scope, (db) => db.one(statement)),
  maybe: (statement) => inListTurn(lists, scope, (db) => db.maybe(statement)),
  run: (statement) => inListTurn(lists, scope, (db) => db.run(statement)),
  script: (text) => inListTurn(lists, scope, (db) => db.script(text)),
});
