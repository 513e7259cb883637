import type { Logger } from '../logging.ts';
import { backoff, sendDue } from '../outbox.ts';
import type { Sql } from '../sql/executor.ts';
import { type Mailer, Undeliverable } from './mailer.ts';
import { claimDue, giveUp, markSent, postpone } from './queue.ts';

type Parts = { readonly sql: Sql; readonly mailer: Mailer; readonly log: Logger };

const MINUTE_MS = 60_000;

/** When a mail is tried again after so many attempts: a minute later, then twice as late each time, up to an hour. */
export const retryAt = backoff({ firstMs: MINUTE_MS, longestMs: 60 * MINUTE_MS });

/** A mail that is sent again, because nobody knows whether it was sent, has the same Message-ID. */
export function deliverMails({ sql: db, mailer, log }: Parts, now: Date): Promise<void> {
  return sendDue(
    {
      claim: (at) => claimDue(db, at),
      send: (mail) => mailer.send(mail),
      nextAttempt: ({ attempts, tryUntil }, failure, at) =>
        failure instanceof Undeliverable ? undefined : retryAt(attempts, at, tryUntil),
      markSent: (mail, at) => markSent(db, mail, at),
      postpone: (mail, later, reason) => postpone(db, mail, later, reason),
      giveUp: (mail, at, reason) => giveUp(db, mail, at, reason),
      report({ id, attempts }, outcome, failure) {
        if (outcome === 'sent') return log.info({ mail: id, attempts }, 'mail sent');
        // What the server said may name the recipient: it is for the operator's eyes, in the table.
        const text = outcome === 'postponed' ? 'mail is tried again' : 'mail given up';
        log.warn({ mail: id, attempts, code: codeOf(failure) }, text);
      },
    },
    now,
  );
}

function codeOf(error: Error | undefined): string | number | undefined {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown };
  return [responseCode, code].find((value) => typeof value === 'string' || typeof value === 'number');
}
