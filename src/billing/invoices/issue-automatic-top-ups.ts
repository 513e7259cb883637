import { runTransaction } from '../../operations/in-transaction.ts';
import { composeMail } from '../../platform/mail/compose-mail.ts';
import { enqueueMails, type Mail } from '../../platform/mail/enqueue-mails.ts';
import { sql } from '../../platform/sql/statement.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { PollDependencies } from '../payments/poll-provider.ts';
import { issueTopUp, type Payer, type TopUpInvoice } from './issue-top-up.ts';

type Details = TopUpInvoice & { readonly to: string; readonly registrar: string; readonly currency: string };

/** The mail to a registrar whose balance has fallen to its threshold. */
function topUpMail({
  to,
  registrar,
  currency,
  number,
  dueDate: due,
  paymentLink: link,
  ...terms
}: Details): Mail {
  const [amount, vat, total] = [terms.net, terms.vat, terms.total].map(toDecimal);
  return composeMail({
    to,
    about: [],
    link,
    subject: { et: `Arve ${number} konto täiendamiseks`, en: `Invoice ${number} to top up your account` },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} kontojääk on langenud seatud piirini.`,
        `Arve ${number}: ${amount} ${currency}, käibemaks ${vat}, kokku ${total}, tasuda hiljemalt ${due}. Konto täieneb, kui arve on tasutud.`,
      ],
      en: [
        `The balance of registrar ${registrar} has fallen to the threshold that was set.`,
        `Invoice ${number}: ${amount} ${currency}, VAT ${vat}, in all ${total}, due on ${due}. The account is topped up when the invoice is paid.`,
      ],
    },
  });
}

const ACTOR = 'registry';

type Due = Payer & { readonly net: string };

/**
 * Issues an invoice to every registrar whose balance has fallen to its configured threshold. While an automatic invoice
 * is payable no second one is issued.
 */
export async function issueAutomaticTopUps(
  { database, policy, provider }: PollDependencies,
  now: Date,
): Promise<void> {
  const due = await database.lists.rows(sql<{ id: number }>`
    select r.id from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
    where r.top_up_threshold is not null and a.balance <= r.top_up_threshold order by r.id`);
  for (const { id } of due) {
    await runTransaction(database.writes, now, async (db) => {
      const registrar = await db.maybe(sql<Due>`
        select r.id, r.code, r.name, r.email, r.top_up_amount::text as net from registrars r
        join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
        where r.id = ${id} and r.top_up_threshold is not null and a.balance <= r.top_up_threshold
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
      const mail = topUpMail({
        ...invoice,
        to: registrar.email,
        registrar: registrar.name,
        currency: policy.currency,
      });
      await enqueueMails(db, [mail], now);
    });
  }
}
