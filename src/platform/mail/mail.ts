import type { Fragment, Sql } from '../database/database.ts';

/** One recipient, and the same words twice: as plain text and as HTML. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** How long a mail that cannot be delivered is tried again. */
export const TRIED_FOR_DAYS = 3;

/**
 * Part of a persisting statement: `mailed`, the mails that the part called `changed` causes. Without a row there
 * the guard was lost, and nobody is written to; several rows there do not send a mail several times.
 */
export function writeMails(sql: Sql, mails: readonly Mail[], now: Date): Fragment {
  return sql`mailed as (${insertMails(sql, mails, now)} where exists (select from changed) order by m.place)`;
}

/** The same as a statement of its own, inside the transaction that causes the mails. */
export async function enqueueMails(sql: Sql, mails: readonly Mail[], now: Date): Promise<void> {
  await sql`${insertMails(sql, mails, now)} order by m.place`;
}

function insertMails(sql: Sql, mails: readonly Mail[], now: Date): Fragment {
  return sql`
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
    select m.recipient, m.subject, m.text, m.html, ${now}, ${now}, ${now}::timestamptz + make_interval(days => ${TRIED_FOR_DAYS})
    from unnest(${mails.map(({ to }) => to)}::text[], ${mails.map(({ subject }) => subject)}::text[],
      ${mails.map(({ text }) => text)}::text[], ${mails.map(({ html }) => html)}::text[])
      with ordinality as m(recipient, subject, text, html, place)`;
}
