import type { Sql } from '../database/database.ts';
import type { Logger } from '../logging.ts';
import { type Mailer, Undeliverable } from './mailer.ts';
import { type ClaimedMail, claimDue, giveUp, markSent, postpone } from './queue.ts';

type Parts = { readonly sql: Sql; readonly mailer: Mailer; readonly log: Logger };

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MINUTES = 60;
/** A run that goes on for longer would count from a time that is past; the next one begins a moment later. */
const RUN_FOR_MS = 10_000;

/**
 * Sends whatever is due. Any number of processes may do so at once. A process that dies between sending and
 * writing it down leaves a mail that is sent again, under the same Message-ID.
 */
export async function deliverMails(parts: Parts, now: Date): Promise<void> {
  const startedAt = performance.now();
  do {
    const mails = await claimDue(parts.sql, now);
    if (mails.length === 0) return;
    const ends = await Promise.allSettled(mails.map((mail) => deliver(parts, mail, now)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } while (performance.now() - startedAt < RUN_FOR_MS);
}

/** When a mail is tried again after so many attempts: a minute later, then twice as late each time, up to an hour. */
export function retryAt(attempts: number, now: Date, tryUntil: Date): Date | undefined {
  if (now >= tryUntil) return undefined;
  const minutes = Math.min(2 ** (attempts - 1), LONGEST_WAIT_MINUTES);
  return new Date(Math.min(now.getTime() + minutes * MINUTE_MS, tryUntil.getTime()));
}

async function deliver(parts: Parts, mail: ClaimedMail, now: Date): Promise<void> {
  const { sql, mailer, log } = parts;
  const failure = await mailer.send(mail).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const { id, attempts } = mail;
  if (failure === undefined) {
    await markSent(sql, mail, now);
    log.info({ mail: id, attempts }, 'mail sent');
    return;
  }
  const later = failure instanceof Undeliverable ? undefined : retryAt(attempts, now, mail.tryUntil);
  if (later) await postpone(sql, mail, later, failure.message);
  else await giveUp(sql, mail, now, failure.message);
  // What the server said may name the recipient: it is for the operator's eyes, in the table.
  log.warn({ mail: id, attempts, code: codeOf(failure) }, later ? 'mail is tried again' : 'mail given up');
}

function codeOf(error: Error): string | number | undefined {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  return [responseCode, code].find((value) => typeof value === 'string' || typeof value === 'number');
}
