import { runTransaction } from '../../operations/in-transaction.ts';
import { composeMail } from '../../platform/mail/compose-mail.ts';
import { type Attachment, enqueueAttached } from '../../platform/mail/enqueue-mails.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { findStatement, type MonthlyStatement } from './find-statements.ts';
import { statementCsv } from './statement-csv.ts';
import { printStatement } from './print-statement.ts';

type Waiting = { readonly registrar: string; readonly month: string };

/** Mails each statement not mailed yet; the mail and its mark are written in one transaction. */
export async function mailStatements({ writes, lists }: Database, policy: Policy, now: Date): Promise<void> {
  for (;;) {
    const waiting = await lists.maybe(sql<Waiting>`
      select r.code as registrar, to_char(s.month, 'YYYY-MM') as month
      from monthly_statements s join registrars r on r.id = s.registrar_id
      where s.mail_to is not null and s.mailed_at is null order by s.month, s.registrar_id limit 1`);
    const statement = waiting && (await findStatement(lists, waiting.registrar, waiting.month));
    if (!statement || statement.mailTo === null) return;
    // Drawn before the transaction: several workers may draw it, but only one mails it.
    const mail = statementMail(statement, statement.mailTo);
    const attachments = await attachmentsOf(statement, policy);
    await runTransaction(writes, now, async (db) => {
      if (await claim(db, waiting, now)) await enqueueAttached(db, mail, attachments, now);
    });
  }
}

async function claim(db: Sql, { registrar, month }: Waiting, now: Date): Promise<boolean> {
  const claimed = await db.run(sql`
    update monthly_statements s set mailed_at = ${now} from registrars r
    where r.id = s.registrar_id and r.code = ${registrar} and s.month = to_date(${month}, 'YYYY-MM') and s.mailed_at is null`);
  return claimed > 0;
}

async function attachmentsOf(statement: MonthlyStatement, policy: Policy): Promise<Attachment[]> {
  const name = `${statement.registrar}-${statement.month}`;
  const pdf = await printStatement(statement, policy.billing.seller);
  return [
    { name: `${name}.pdf`, mediaType: 'application/pdf', content: pdf },
    { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(statementCsv(statement)) },
  ];
}

function statementMail(statement: MonthlyStatement, to: string) {
  const { registrar, month, currency, closingDebt } = statement;
  const [opening, closing] = [toDecimal(statement.opening), toDecimal(statement.closing)];
  const debt = closingDebt === 0n ? undefined : toDecimal(closingDebt);
  return composeMail({
    to,
    about: [],
    subject: { et: `Konto väljavõte ${month}`, en: `Account statement ${month}` },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} konto väljavõte kuu ${month} kohta on lisatud.`,
        `Algsaldo ${opening} ${currency}, lõppsaldo ${closing} ${currency}.${debt ? ` Võlg ${debt} ${currency}.` : ''}`,
      ],
      en: [
        `The statement of registrar ${registrar} for ${month} is attached.`,
        `Opening balance ${opening} ${currency}, closing balance ${closing} ${currency}.${debt ? ` Debt ${debt} ${currency}.` : ''}`,
      ],
    },
  });
}
