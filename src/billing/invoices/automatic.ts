import { runTransaction } from '../../operations/in-transaction.ts';
import { enqueueMails } from '../../platform/mail/mail.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { AskParts } from '../payments/ask.ts';
import { issueTopUp, type Payer } from './top-up.ts';
import { topUpLetter } from './top-up-letter.ts';

const ACTOR = 'registry';

type Due = Payer & { readonly net: string };

/**
 * Sends an invoice to every registrar whose balance has fallen to the threshold that he has set. While an invoice of
 * this kind can be paid there is no second one.
 */
export async function issueAutomaticTopUps(
  { database, policy, provider }: AskParts,
  now: Date,
): Promise<void> {
  const due = await database.lists.rows(sql<{ id: number }>`
    select r.id from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
    where r.top_up_at is not null and a.balance <= r.top_up_at order by r.id`);
  for (const { id } of due) {
    await runTransaction(database.writes, now, async (db) => {
      const registrar = await db.maybe(sql<Due>`
        select r.id, r.code, r.name, r.email, r.top_up_amount::text as net from registrars r
        join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
        where r.id = ${id} and r.top_up_at is not null and a.balance <= r.top_up_at
          and not exists (select from invoices i where i.registrar_id = r.id and i.automatic and i.status in ('unpaid', 'failed', 'overdue'))
        for update of r`);
      if (!registrar) return;
      const net = BigInt(registrar.net);
      const invoice = await issueTopUp(
        db,
        { policy, provider },
        { registrar, net, now, automatic: true, actor: ACTOR },
      );
      if (registrar.email === null) return;
      const letter = topUpLetter({
        ...invoice,
        to: registrar.email,
        registrar: registrar.name,
        currency: policy.currency,
      });
      await enqueueMails(db, [letter], now);
    });
  }
}
