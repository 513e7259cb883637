import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { Month } from './find-statements.ts';

/** Amounts are cents as text. */
export type OwnStatement = {
  readonly month: Month;
  readonly currency: string;
  readonly opening: string;
  readonly change: string;
  readonly closing: string;
  readonly debt: string;
};

/** A page of a registrar's statements of the months before one, newest first, and where the next page begins. */
export async function listOwnStatements(
  db: Sql,
  registrarId: number,
  before: Month | undefined,
  size: number,
): Promise<{ readonly rows: readonly OwnStatement[]; readonly next: Month | undefined }> {
  const found = await db.rows(sql<OwnStatement>`
    select to_char(s.month, 'YYYY-MM') as month, s.currency, s.opening::text as opening, s.net_change::text as change,
      s.closing::text as closing, s.closing_debt::text as debt
    from monthly_statements s
    where s.registrar_id = ${registrarId} and s.month < coalesce(${before === undefined ? null : `${before}-01`}::date, 'infinity')
    order by s.month desc ${text(`limit ${size + 1}`)}`);
  const rows = found.slice(0, size);
  return { rows, next: found.length > size ? rows.at(-1)?.month : undefined };
}
