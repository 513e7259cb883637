import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';

/** Until when a line of the overview can be put off. */
export const SNOOZES = ['tomorrow', 'week'] as const;
export type Snooze = (typeof SNOOZES)[number];

/** A line, and how many things it is about. */
export type CountedLine = { readonly key: string; readonly count: number };
export type SnoozedLine = CountedLine & { readonly until: Date };

const MONDAY = 1;
const DAYS_OF_WEEK = 7;

/** The beginning of the next day, or of the next Monday. */
export function snoozeEnd(snooze: Snooze, now: Date, timeZone: string): Date {
  const today = dayIn(timeZone, now);
  const days = snooze === 'tomorrow' ? 1 : DAYS_OF_WEEK + MONDAY - today.dayOfWeek;
  return new Date(today.add({ days }).toZonedDateTime(timeZone).epochMilliseconds);
}

/** Until when a line is put off; undefined if it is not, or is about more things than it was then. */
export function snoozedUntil(
  { key, count }: CountedLine,
  snoozed: readonly SnoozedLine[],
  now: Date,
): Date | undefined {
  const found = snoozed.find((each) => each.key === key);
  return found && now < found.until && count <= found.count ? found.until : undefined;
}

type Owner = { readonly personId: number; readonly registrarId: number };

export async function listSnoozedLines(db: Sql, { personId, registrarId }: Owner): Promise<SnoozedLine[]> {
  try {
    return await db.rows(sql<SnoozedLine>`
      select line as key, count, until from snoozed_lines where person_id = ${personId} and registrar_id = ${registrarId}`);
  } catch (error) {
    // Until the schema is migrated during an upgrade.
    if (isNotInSchema(error)) return [];
    throw error;
  }
}

/** Puts a line off, and forgets those that are back. */
export async function snoozeLine(
  db: Sql,
  { personId, registrarId }: Owner,
  { key, count, until }: SnoozedLine,
  now: Date,
): Promise<void> {
  await db.run(sql`
    with back as (
      delete from snoozed_lines where person_id = ${personId} and registrar_id = ${registrarId} and until <= ${now} and line <> ${key})
    insert into snoozed_lines (person_id, registrar_id, line, count, until) values (${personId}, ${registrarId}, ${key}, ${count}, ${until})
    on conflict (person_id, registrar_id, line) do update set count = excluded.count, until = excluded.until`);
}

/** Also if it is not put off. */
export async function endSnooze(db: Sql, { personId, registrarId }: Owner, key: string): Promise<void> {
  await db.run(
    sql`delete from snoozed_lines where person_id = ${personId} and registrar_id = ${registrarId} and line = ${key}`,
  );
}
