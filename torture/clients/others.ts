import { storedClock } from '../../src/app/sandbox-clock.ts';
import { refundInvoice } from '../../src/billing/payments/refunds.ts';
import { sql } from '../../test/support/sql.ts';
import type { World } from '../world.ts';
import { type Deed, live, type Parts } from './client.ts';

const LINK = /\/confirm\/([A-Za-z0-9_-]+)/;

/** Registrants who follow the links in their mails, and the operator who pays invoices back. */
export function othersLive(world: World): Promise<void> {
  /** What the database does not answer now is left for another time. */
  const quietly = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

  const deeds = {
    async confirm({ caller, chance }: Parts) {
      const mails = await quietly(
        world.place.withOwner((db) =>
          db.rows(
            sql<{
              text: string;
            }>`select text from mails where text like '%/confirm/%' order by id desc limit 20`,
          ),
        ),
      );
      const token = LINK.exec(chance.oneOf(mails ?? [])?.text ?? '')?.[1];
      if (token === undefined) return;
      const decision = chance.happens(0.7) ? 'confirm' : 'reject';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const call = { method: 'POST', path: `/confirm/${token}`, headers, body: `decision=${decision}` };
      await caller.want('confirm', call, false);
    },

    async refund({ chance }: Parts) {
      const drawn = chance.next();
      await quietly(
        world.place.withOwner(async (db) => {
          const paid = await db.rows(sql<{ number: number }>`
            select number from invoices where status = 'paid' and paid_by is not null order by number desc limit 20`);
          const number = paid[Math.floor(drawn * paid.length)]?.number;
          if (number === undefined) return;
          const now = (await storedClock(db)).now();
          await db.begin((inside) =>
            refundInvoice(inside, { number, reason: 'asked for', actor: 'torture', now }),
          );
        }),
      );
    },
  } satisfies Record<string, Deed>;

  return live(world, 'others', deeds, { confirm: 3, refund: 1 });
}
