import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { BankLine } from './line.ts';
import type { NamedLine } from './names.ts';

/**
 * Not every bank marks that it takes a payment back. A debit that bears the end-to-end id and the amount of a payment
 * that came in, or a reference number of ours, is taken for one, so that a person sees it.
 */
export async function withUnmarkedReturns(db: Sql, all: readonly NamedLine[]): Promise<NamedLine[]> {
  const debits = all.filter(({ line }) => line.direction === 'debit' && !line.returns);
  if (debits.length === 0) return [...all];
  const lines = debits.map(({ line }) => line);
  const rows = await db.rows(sql<{ place: number }>`
    select d.place::int as place
    from unnest(${lines.map(({ account }) => account)}::text[], ${lines.map(({ endToEndId }) => endToEndId)}::text[],
      ${lines.map(({ amount }) => amount.toString())}::bigint[], ${lines.map(({ referenceNumber }) => referenceNumber)}::text[])
      with ordinality as d(account, end_to_end_id, amount, reference_number, place)
    where exists (select from bank_entries e where e.account = d.account and e.end_to_end_id = d.end_to_end_id and e.amount = d.amount and e.direction = 'credit')
      or exists (select from reference_numbers n where n.number = d.reference_number)`);
  const returning = new Set(rows.map(({ place }) => debits[place - 1]));
  const paid = new Set(all.flatMap(({ line }) => (line.direction === 'credit' ? keysOf(line) : [])));
  return all.map((item) =>
    returning.has(item) || (item.line.direction === 'debit' && keysOf(item.line).some((key) => paid.has(key)))
      ? { ...item, line: { ...item.line, returns: true } }
      : item,
  );
}

/** What a payment and its return have in common, where both stand in one document. */
const keysOf = ({ account, endToEndId, amount }: BankLine): string[] =>
  endToEndId === null ? [] : [JSON.stringify([account, endToEndId, amount.toString()])];
