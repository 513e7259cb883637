import { sql } from '../../test/support/sql.ts';
import type { World } from '../world.ts';
import { live, type Parts } from './client.ts';

const LINK = /\/confirm\/([A-Za-z0-9_-]+)/;

/** Registrants who follow the links in their mails. */
export function runRegistrants(world: World): Promise<void> {
  const readMails = () =>
    world.place.withOwner((db) =>
      db.rows(sql<{ text: string }>`
        select text from mails where text like '%/confirm/%' order by id desc limit 20`),
    );

  async function confirm({ caller, chance }: Parts): Promise<void> {
    // Actions that fail with the database are skipped.
    const mails = await readMails().catch(() => []);
    const token = LINK.exec(chance.oneOf(mails)?.text ?? '')?.[1];
    if (token === undefined) return;
    const decision = chance.happens(0.7) ? 'confirm' : 'reject';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = { method: 'POST', path: `/confirm/${token}`, headers, body: `decision=${decision}` };
    await caller.want('confirm', call, false);
  }

  return live(world, 'registrants', { confirm }, { confirm: 1 });
}
