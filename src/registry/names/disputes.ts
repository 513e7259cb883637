import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { registryAuthor } from '../history/history.ts';
import type { OperatorChange } from '../operator-change.ts';
import { message, sendMessages } from '../poll/messages.ts';

export type Dispute = {
  readonly name: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
};

/** Open disputes, without their codes. */
export async function listDisputes(db: Sql, now: Date): Promise<Dispute[]> {
  return db.rows(sql<Dispute>`
    select name, starts_at as "startsAt", expires_at as "expiresAt" from disputes
    where closed_at is null and expires_at > ${now} order by name`);
}

/** From now on registering the name needs the code, and a domain of that name is frozen. False if there is a dispute already. */
export function openDispute(
  pool: Pool,
  { name, code, startsAt, expiresAt }: Dispute & { readonly code: string },
  change: OperatorChange,
): Promise<boolean> {
  return runTransaction(pool, change.at, async (db) => {
    await endExpired(db, sql`name = ${name}`, change.at);
    const opened = await db.rows(sql`
      insert into disputes (name, code, starts_at, expires_at) values (${name}, ${code}, ${startsAt}, ${expiresAt})
      on conflict (name) where closed_at is null do nothing returning id`);
    if (opened.length === 0) return false;
    await recordAndNotify(db, name, 'status_set', 'open dispute', change);
    return true;
  });
}

/** False if the name has no open dispute. */
export function closeDispute(pool: Pool, name: string, change: OperatorChange): Promise<boolean> {
  return runTransaction(pool, change.at, async (db) => {
    const closed = await db.rows(
      sql`update disputes set closed_at = ${change.at} where name = ${name} and closed_at is null returning id`,
    );
    if (closed.length === 0) return false;
    await recordAndNotify(db, name, 'status_cancelled', 'close dispute', change);
    return true;
  });
}

const BATCH = 100;

/** Closes the expired ones among the disputes that match a condition; returns their number. */
export async function endExpired(db: Sql, which: Fragment, now: Date): Promise<number> {
  const ended = await db.rows(sql<{ name: string }>`
    update disputes set closed_at = expires_at where id in (
      select id from disputes where ${which} and closed_at is null and expires_at <= ${now}
      order by name limit ${BATCH} for update skip locked)
    returning name`);
  const change = { actor: registryAuthor(now).actor, at: now };
  for (const { name } of ended) await recordAndNotify(db, name, 'status_cancelled', 'end dispute', change);
  return ended.length;
}

async function recordAndNotify(
  db: Sql,
  name: string,
  type: 'status_set' | 'status_cancelled',
  operation: string,
  { actor, at, reason }: OperatorChange,
): Promise<void> {
  const domain = await db.maybe(sql<{ id: number; registrarId: number }>`
    select id, registrar_id as "registrarId" from domains where name = ${name}`);
  await db.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    values (${at}, 'domain', ${domain?.id ?? 0}, ${name}, ${operation}, ${actor}, ${reason ?? null})`);
  if (domain)
    await sendMessages(db, [message(type, { ...domain, name, status: 'disputed' })], {
      actor,
      reason: { text: reason },
      now: at,
    });
}
