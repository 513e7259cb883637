import type { Database, Sql } from '../../platform/database/database.ts';
import { letter } from '../../platform/mail/letter.ts';
import { enqueueAttached } from '../../platform/mail/mail.ts';
import { toDecimal } from '../../platform/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { statementCsv } from './csv.ts';
import { statementPdf } from './pdf.ts';
import { findStatement, type MonthlyStatement } from './statement.ts';

type Waiting = { readonly registrar: string; readonly month: string };

/** Mails each statement that was made and not mailed yet; the mail and the note of it are one transaction. */
export async function mailStatements({ writes }: Database, policy: Policy, now: Date): Promise<void> {
  while (await writes.begin((sql) => mailNext(sql, policy, now)));
}

/** False where none waits, or others are at those that do. */
async function mailNext(sql: Sql, policy: Policy, now: Date): Promise<boolean> {
  const [waiting] = await sql<Waiting[]>`
    update monthly_statements s set mailed_at = ${now} from registrars r
    where r.id = s.registrar_id and (s.registrar_id, s.month) = (
      select registrar_id, month from monthly_statements where mail_to is not null and mailed_at is null
      order by month, registrar_id limit 1 for update skip locked)
    returning r.code as registrar, to_char(s.month, 'YYYY-MM') as month`;
  const statement = waiting && (await findStatement(sql, waiting.registrar, waiting.month));
  if (!statement || statement.mailTo === null) return false;
  const name = `${statement.registrar}-${statement.month}`;
  await enqueueAttached(
    sql,
    statementLetter(statement, statement.mailTo),
    [
      {
        name: `${name}.pdf`,
        mediaType: 'application/pdf',
        content: await statementPdf(statement, policy.billing.seller),
      },
      { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(statementCsv(statement)) },
    ],
    now,
  );
  return true;
}

function statementLetter(statement: MonthlyStatement, to: string) {
  const { registrar, month, currency, closingDebt } = statement;
  const [opening, closing] = [toDecimal(statement.opening), toDecimal(statement.closing)];
  const debt = closingDebt === 0n ? undefined : toDecimal(closingDebt);
  return letter({
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
