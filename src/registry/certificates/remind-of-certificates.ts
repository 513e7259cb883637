import { runTransaction } from '../../operations/in-transaction.ts';
import { enqueueMails } from '../../platform/mail/enqueue-mails.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { registryAuthor } from '../history/read-history.ts';
import { certificateMail } from '../mails/certificate-mail.ts';
import { message, sendMessages } from '../poll/send-messages.ts';

type Ending = {
  readonly serial: string;
  readonly username: string;
  readonly registrarId: number;
  readonly registrar: string;
  readonly email: string | null;
  readonly validUntil: Date;
};

/** Notifies registrars of certificates that expire soon, by poll message and mail, on each of the policy's reminder days. */
export async function remindOfCertificates({ writes }: Database, now: Date, policy: Policy): Promise<void> {
  await runTransaction(writes, now, async (db) => {
    const ending = await markEnding(db, now, policy);
    const messages = ending.map(({ registrarId, serial, username, validUntil }) =>
      message('certificate_expiring', { registrarId, serial, username, until: validUntil.toISOString() }),
    );
    await sendMessages(db, messages, registryAuthor(now));
    await enqueueMails(
      db,
      ending.flatMap(({ email, ...certificate }) =>
        email === null ? [] : [certificateMail({ ...certificate, to: email })],
      ),
      now,
    );
  });
}

/** When the next reminder is due; undefined if there is none. */
export async function nextReminder(
  { reads }: Database,
  { certificates: { reminderDays } }: Policy,
): Promise<Date | undefined> {
  const next = await reads.one(sql<{ at: Date | null }>`
    select min(c.valid_until - make_interval(days => d.days)) as at
    from certificates c cross join unnest(${reminderDays}::integer[]) as d(days)
    where c.revoked_at is null and (c.reminded_days is null or c.reminded_days > d.days)`);
  return next.at ?? undefined;
}

/** Each certificate is reminded of once per reminder day; of several that have passed only the last counts. */
function markEnding(db: Sql, now: Date, { certificates: { reminderDays } }: Policy): Promise<Ending[]> {
  return db.rows(sql<Ending>`
    with due as (
      select c.id, min(d.days) as days
      from certificates c cross join unnest(${reminderDays}::integer[]) as d(days)
      where c.revoked_at is null and c.valid_until - make_interval(days => d.days) <= ${now}
        and (c.reminded_days is null or c.reminded_days > d.days)
      group by c.id),
    marked as (
      update certificates c set reminded_days = due.days from due where c.id = due.id and (c.reminded_days is null or c.reminded_days > due.days)
      returning c.serial, c.user_id, c.valid_until)
    select m.serial, u.username, r.id as "registrarId", r.name as registrar, r.email, m.valid_until as "validUntil"
    from marked m join api_users u on u.id = m.user_id join registrars r on r.id = u.registrar_id
    order by r.id, m.serial`);
}
