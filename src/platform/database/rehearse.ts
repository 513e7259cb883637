import type { Pool } from '../sql/executor.ts';

/**
 * Does the work for real, so that every rule and every constraint has its say, and takes all of it back at the end. It
 * is one transaction: nobody else ever sees any of it.
 */
export async function rehearse<T>(pool: Pool, work: (db: Pool) => Promise<T>): Promise<T> {
  const over = new Error('the rehearsal is over');
  let outcome: { readonly of: T } | undefined;
  await pool
    .begin(async (db) => {
      outcome = { of: await work(db) };
      throw over;
    })
    .catch((error: unknown) => {
      if (error !== over) throw error;
    });
  if (outcome === undefined) throw over;
  return outcome.of;
}
