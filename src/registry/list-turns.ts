import { QueueFull } from '../platform/concurrency/fair-queue.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { Principal } from './actor.ts';
import { refuse } from './refusals.ts';

type Lists = Pick<Database, 'lists' | 'listTurns'>;

/**
 * Runs one statement on the connections for lists when it is the registrar's turn. The next page of an answer that
 * has begun is `admitted`: it waits as long as it takes, because it can no longer be refused.
 */
export async function inListTurn<T>(
  { lists, listTurns }: Lists,
  { registrarId }: Pick<Principal, 'registrarId'>,
  work: (db: Sql) => Promise<T>,
  options?: { readonly admitted: boolean },
): Promise<T> {
  try {
    return await listTurns.run(registrarId, () => work(lists), options);
  } catch (error) {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  }
}
