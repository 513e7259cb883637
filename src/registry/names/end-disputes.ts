import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { registryAuthor } from '../history/read-history.ts';
import { recordDispute } from './record-dispute.ts';

const BATCH = 100;

/** Closes the expired ones among the disputes that match a condition; returns their number. */
export async function endExpired(db: Sql, which: Fragment, now: Date): Promise<number> {
  const ended = await db.rows(sql<{ name: string }>`
    update disputes set closed_at = expires_at where id in (
      select id from disputes where ${which} and closed_at is null and expires_at <= ${now}
      order by name limit ${BATCH} for update skip locked)
    returning name`);
  for (const { name } of ended)
    await recordDispute(
      db,
      { name, operation: 'end dispute', type: 'status_cancelled' },
      registryAuthor(now),
    );
  return ended.length;
}
