import type { BeginOptions, Pool } from './executor.ts';

/** Runs the work in one transaction, so that every rule and constraint is checked, then rolls it back. */
export async function runAndRollBack<T>(
  pool: Pool,
  work: (db: Pool) => Promise<T>,
  options?: BeginOptions,
): Promise<T> {
  const over = new Error('rolled back on purpose');
  let outcome: { readonly of: T } | undefined;
  await pool
    .begin(async (db) => {
      outcome = { of: await work(db) };
      throw over;
    }, options)
    .catch((error: unknown) => {
      if (error !== over) throw error;
    });
  if (outcome === undefined) throw over;
  return outcome.of;
}
