import { readCopy, restoredDataTime } from '../platform/installation-copy.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

/** One line of what was, or may have been, lost or is going to happen again. */
export type RecoveryItem = {
  readonly item: string;
  readonly count: number;
  readonly meaning: string;
};
export type ActiveRegistrar = {
  readonly registrar: string;
  readonly email: string | null;
  readonly changes: number;
  readonly lastChangeAt: Date | null;
  readonly lastLoginAt: Date | null;
};
export type RecoveryReport = {
  readonly recoveryPoint: Date;
  readonly until: Date;
  readonly items: readonly RecoveryItem[];
  readonly registrars: readonly ActiveRegistrar[];
  /** How far invoice numbers should be moved on. */
  readonly invoiceNumbers: number;
};

const DAY_MS = 86_400_000;
const MIN_INVOICE_NUMBERS = 100;
/** Of what is usually issued in the time that was lost. */
const SAFETY_FACTOR = 10;

/**
 * The time that the database was taken back to: that of the backup it was restored from, else of the newest thing that it
 * knows. What lies ahead was dated by a wrong clock, and says nothing; nor does what operators did with the installation
 * since, such as an earlier repair.
 */
export async function findRecoveryPoint(db: Sql, now: Date): Promise<Date> {
  const restored = restoredDataTime(await readCopy(db));
  if (restored && restored <= now) return restored;
  const { at } = await db.one(sql<{ at: Date | null }>`
    select greatest(
      (select at from history where at <= ${now} and object_kind not in ('installation', 'job') order by id desc limit 1),
      (select at from ledger_entries where at <= ${now} order by id desc limit 1),
      (select max(finished_at) from jobs where finished_at <= ${now}),
      (select max(allocated_at) from invoice_numbers where allocated_at <= ${now}),
      (select max(created_at) from mails where created_at <= ${now}),
      (select max(created_at) from deliveries where created_at <= ${now})) as at`);
  return at ?? new Date(0);
}

export async function reportRecovery(db: Sql, recoveryPoint: Date, until: Date): Promise<RecoveryReport> {
  const counts = await countAll(db, recoveryPoint, until);
  const lostDays = Math.max(until.getTime() - recoveryPoint.getTime(), 0) / DAY_MS;
  const expected = Math.ceil((counts.issuedLately / 30) * lostDays);
  const invoiceNumbers = Math.max(MIN_INVOICE_NUMBERS, SAFETY_FACTOR * expected);
  const item = (name: string, count: number, meaning: string): RecoveryItem => ({
    item: name,
    count,
    meaning,
  });
  return {
    recoveryPoint,
    until,
    invoiceNumbers,
    registrars: await activeRegistrars(db, recoveryPoint),
    items: [
      item(
        'invoice number ranges',
        counts.ranges,
        `moved on by ${invoiceNumbers} numbers, so that none is issued twice`,
      ),
      item(
        'identity columns',
        counts.identities,
        'moved on, so that no id that somebody has seen is given to another object',
      ),
      item('mails waiting', counts.mails, 'may have been sent already: held, for you to look at'),
      item(
        'messages to services waiting',
        counts.deliveries,
        'sent again with the same id, by which the service knows them',
      ),
      item('payments open', counts.payments, 'polled at the provider'),
      item(
        'refunds waiting',
        counts.refunds,
        'ordered again under the same number, which the provider accepts once',
      ),
      item(
        'poll messages unread',
        counts.messages,
        'some may have been read before: registrars see them again',
      ),
      item(
        'own authorities',
        counts.authorities,
        'their revocation lists get higher numbers and are signed again',
      ),
      item(
        'zones published',
        await countZones(db),
        'their serials are raised beyond what secondaries may have',
      ),
      item('monthly statements to come', counts.months, 'made and mailed again, perhaps with other amounts'),
    ],
  };
}

type Counts = Readonly<
  Record<
    | 'ranges'
    | 'identities'
    | 'issuedLately'
    | 'mails'
    | 'deliveries'
    | 'payments'
    | 'refunds'
    | 'messages'
    | 'authorities'
    | 'months',
    number
  >
>;

const countAll = (db: Sql, from: Date, until: Date): Promise<Counts> =>
  db.one(sql<Counts>`
    select (select count(*) from invoice_ranges) as ranges,
      (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> '') as identities,
      (select count(*) from invoice_numbers where allocated_at > ${from}::timestamptz - interval '30 days') as "issuedLately",
      (select count(*) from mails where sent_at is null and gave_up_at is null and created_at <= ${from}) as mails,
      (select count(*) from deliveries where delivered_at is null and gave_up_at is null) as deliveries,
      (select count(*) from payments where open) as payments,
      (select count(*) from refunds where state = 'waiting') as refunds,
      (select count(*) from poll_messages where read_at is null) as messages,
      (select count(*) from authorities where own and retired_at is null) as authorities,
      (select count(*) from generate_series(date_trunc('month', ${from}::timestamptz) + interval '1 month', ${until}::timestamptz, '1 month')) as months`);

const countZones = async (db: Sql): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*) as count from zones`)).count;

/** Those who worked in the day before: they may miss what they did afterwards. */
const activeRegistrars = (db: Sql, recoveryPoint: Date): Promise<ActiveRegistrar[]> =>
  db.rows(sql<ActiveRegistrar>`
    select r.code as registrar, r.email, coalesce(h.changes, 0)::int as changes, h.at as "lastChangeAt", l.at as "lastLoginAt"
    from registrars r
      left join (select registrar_id, count(*) as changes, max(at) as at from history
        where at > ${recoveryPoint}::timestamptz - interval '1 day' group by 1) h on h.registrar_id = r.id
      left join (select u.registrar_id, max(a.succeeded_at) as at from login_addresses a join api_users u on u.id = a.user_id
        where a.succeeded_at > ${recoveryPoint}::timestamptz - interval '1 day' group by 1) l on l.registrar_id = r.id
    where h.changes > 0 or l.at is not null order by h.changes desc nulls last, r.code`);
