import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const OUTBOX = 'src/platform/outbox/';

/** Who skips locked rows without being a queue of attempts. */
const MAY_SKIP_LOCKED: Readonly<Record<string, string>> = {
  'src/billing/payments/record-callback.ts': 'a callback of a locked payment waits in a statement of its own',
  'src/platform/jobs/run-jobs.ts': 'a job is due again and again by its interval, and is never retried',
  'src/registry/contacts/update-contact.ts': 'a batch fails at once where others hold one of its rows',
  'src/registry/domains/persist-domains.ts': 'a batch fails at once where others hold one of its rows',
  'src/registry/lifecycle/archive-contacts.ts': 'ended by time, in the transaction that locks it',
  'src/registry/lifecycle/expire-requests.ts': 'ended by time, in the transaction that locks it',
  'src/registry/lifecycle/run-step.ts': 'ended by time, in the transaction that locks it',
  'src/registry/names/end-disputes.ts': 'ended by time, in the transaction that locks it',
  'src/registry/sessions/session-leases.ts': 'deleted by the statement that locks it',
  'src/reservations/expire-reservations.ts': 'deleted by the statement that locks it',
};

/** A power of two with a variable exponent, or a wait that is doubled. */
const WAIT = String.raw`\w*(?:[dD]elay|[bB]ackoff|[wW]ait|[pP]ause)\w*`;
const BACKOFF = new RegExp(String.raw`\b2 \*\* (?!\d)|Math\.pow\(|\b2 \* ${WAIT}|${WAIT} \*=? 2\b`);
const MAY_USE_POWERS: Readonly<Record<string, string>> = {
  'src/backup/age-encryption.ts': 'a parameter of scrypt',
};

const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((name) => !name.startsWith(OUTBOX));
const filesWith = (pattern: RegExp): string[] =>
  files.filter((name) => pattern.test(readFileSync(path.join(ROOT, name), 'utf8'))).sort();

describe('one outbox', () => {
  test('success: rows are claimed by it, or in a file of the list, and the list has no other', () => {
    expect(filesWith(/\bskip locked\b/)).toEqual(Object.keys(MAY_SKIP_LOCKED).sort());
  });

  test('success: it has the only backoff', () => {
    expect(filesWith(BACKOFF)).toEqual(Object.keys(MAY_USE_POWERS).sort());
  });

  test.each([
    'Math.min(firstMs * 2 ** attempts, maxMs)',
    'Math.min(2 * delayMs, MAX_MS)',
    'Math.min(pause * 2, maxPauseMs)',
    'waitMs *= 2',
    'first * Math.pow(2, attempts)',
  ])('failure: %s is found', (text) => {
    expect(BACKOFF.test(text)).toBe(true);
  });

  test.each(['4 * 2 ** 20', '2 * length', 'MAX_WAIT_MS * 3'])('success: %s is not', (text) => {
    expect(BACKOFF.test(text)).toBe(false);
  });
});
