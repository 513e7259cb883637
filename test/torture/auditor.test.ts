import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { correctBalance } from '../../src/registry/registrars/correct-balance.ts';
import { auditBegunJobs } from '../../torture/audit/bulk-jobs.ts';
import { auditDeadlines } from '../../torture/audit/deadlines.ts';
import { auditEppHistory } from '../../torture/audit/epp.ts';
import { auditDeliveries, auditJournal } from '../../torture/audit/journal.ts';
import { auditMoneyMessages } from '../../torture/audit/money-messages.ts';
import { auditProcesses } from '../../torture/audit/processes.ts';
import { auditReads } from '../../torture/audit/reads.ts';
import { audit } from '../../torture/auditor.ts';
import { type Attempt, Journal } from '../../torture/journal.ts';
import type { Life } from '../../torture/node.ts';
import { Payer, Service } from '../support/billing.ts';
import { alpha, beta, poor } from '../support/client.ts';
import { carriedFields, loggedIn } from '../support/console.ts';
import { freshName, Registrant } from '../support/domains.ts';
import { operator } from '../support/operator.ts';
import { Portal } from '../support/portal.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { lookAfterDamage } from './damage.ts';

let registry: TestRegistry;
let name: string;
let bulkJob: string;
let reserved: { id: string; name: string; password: string };
beforeAll(async () => {
  registry = await startRegistry();
  const { url } = registry;
  const [auction, payer, portal] = [new Service(url), new Payer(url), new Portal(url)];
  await alpha(url).post('/webhooks', { webhook: { url: 'http://127.0.0.1:1/' } });
  const registrant = await Registrant.of(alpha(url));
  name = freshName();
  await registrant.try({ name }, { 'x-request-id': 'torture-1' });
  const { transfer_code } = (await alpha(url).get(`/domains/${name}`)).body.data.domain;
  await beta(url).post(`/domains/${name}/transfer`, { transfer: { transfer_code } });
  await payer.pay((await auction.invoice('10.00')).link);
  const free = (await portal.reserve(freshName())).body;
  reserved = { id: free.user_unique_id, ...free.reserved_domains[0] };
  const { linkpay_url: link } = (await portal.reserveLong(freshName())).body;
  await payer.pay(link);
  await payer.advance('PT1M');
  await moveMoney(url);
  await workInBulk(url);
});
afterAll(() => registry.stop());

/** By jobs of the console, which are done when their forms are answered; one is taken back. */
async function workInBulk(url: string): Promise<void> {
  const staff = await loggedIn(url, 'beta');
  const form = { names: name, period: '1y', step: 'preview' };
  const shown = await staff.post('/console/bulk/renew', form);
  const { to } = await staff.post('/console/bulk/renew', { ...carriedFields(shown.text), step: 'confirm' });
  bulkJob = to?.split('/').at(-1) ?? '';
  const run = async (path: string, fields: Record<string, string>) => {
    const { text } = await staff.post(path, fields);
    const begun = await staff.post(path, { ...carriedFields(text), step: 'confirm' });
    return begun.to?.split('/').at(-1) ?? '';
  };
  const nameservers = 'ns1.bulk.example\nns2.bulk.example';
  const list = { how: 'set', nameservers, names: name, step: 'preview' };
  const job = await run('/console/bulk/nameservers', list);
  await run('/console/bulk/undo', { step: 'back', job });
}

/** Of a registrar with 5.00: a top-up that is charged back after it was spent, its debt, and the repayment. */
async function moveMoney(url: string): Promise<void> {
  const payer = new Payer(url);
  const correct = (amount: bigint) =>
    carryOut(registry.sql, correctBalance, { code: 'POOR', amount }, operator({ reason: { text: 'test' } }));
  const { body } = await poor(url).post('/invoices/add_credit', { invoice: { amount: '100.00' } });
  const { invoice_number: number, payment_link: link } = body.data.invoice;
  const reference = await payer.pay(link);
  expect((await payer.invoice(number)).status).toBe('paid');
  expect(await correct(-4_000n)).toBe(6_500n);
  await payer.move(reference, 'chargebacked');
  expect((await payer.invoice(number)).status).toBe('refunded');
  expect(await correct(4_000n)).toBe(500n);
}

const attempt = (number: number, outcome: Attempt['outcome'], sentAt = 0): Attempt => ({
  requestId: `torture-${number}`,
  outcome,
  status: undefined,
  body: undefined,
  sentAt,
  endedAt: sentAt,
});

const afterDamage = <T>(damage: string, look: (db: Sql) => Promise<T>): Promise<T> =>
  lookAfterDamage(registry.sql, damage, look);
const findingsOf = async (db: Sql) => [...new Set((await audit(db)).map(({ finding }) => finding))];

describe('a quiescent database', () => {
  test('success: no findings in a consistent database', async () => {
    expect(await audit(registry.sql)).toEqual([]);
  });

  test.each([
    ['a balance is not the sum of its entries', () => 'update ledger_accounts set balance = balance + 1'],
    [
      'an object is not what history says',
      () => `update domains set expire_time = expire_time + interval '1 day'`,
    ],
    [
      'an object is not what history says',
      () => `delete from contacts where id = (select min(id) from contacts)`,
    ],
    [
      'a registrar has another number of objects than is stored',
      () => 'update object_counts set change = change + 1 where is_base',
    ],
    [
      'a change does not begin where the last one ended',
      () => `update history set before = '{}' where operation = 'transfer'`,
    ],
    [
      'a domain has another sponsor than its history',
      () => "update domains set registrar_id = (select id from registrars where code = 'POOR')",
    ],
    [
      'a name is registered and held by a reservation',
      () => `insert into reserved_names (name, code, created_at) values ('${name}', 'x', now())`,
    ],
    ['a name is held for a reservation that does not name it', () => 'delete from reservation_names'],
    [
      'two reservations held a name at once',
      () =>
        `insert into reservation_names (reservation_id, name, position) select v.id, n.name, 9 from reservations v cross join reservation_names n where v.id <> n.reservation_id`,
    ],
    [
      'a domain waits for its registrant, and no request was sent',
      () => `update domains set statuses = '{"pendingUpdate": ""}'`,
    ],
    [
      'messages are not as many as their causes',
      () => `delete from poll_messages where type = 'transferred_in'`,
    ],
    [
      'messages are not as many as their causes',
      () =>
        `insert into poll_messages (registrar_id, type, text, created_at) select registrar_id, type, text, created_at from poll_messages where type = 'transferred_away'`,
    ],
    [
      'a message is attached to what is not there',
      () => 'update poll_messages set attached_obj_id = 0 where attached_obj_id is not null',
    ],
    [
      'transfers are not recorded as often as they happened',
      () =>
        'insert into transfers (domain_id, losing_registrar_id, gaining_registrar_id, transferred_at, expire_time) select domain_id, losing_registrar_id, gaining_registrar_id, transferred_at, expire_time from transfers',
    ],
    [
      'a legal document belongs to no change',
      () =>
        `insert into legal_documents (registrar_id, object_kind, object_id, object_name, request_id, document_type, sha256, content, received_at) select registrar_id, 'domain', id, name, 'another', 'pdf', sha256('x'), 'x', now() from domains`,
    ],
    [
      'an invoice has another status than its last change',
      () => `update invoices set status = 'refunded' where status = 'paid'`,
    ],
    [
      'a status does not follow the one before',
      () => `update invoice_changes set from_status = 'overdue' where to_status = 'paid'`,
    ],
    ['a change of an invoice is not delivered exactly once', () => 'delete from deliveries'],
    ['a service has a message about no change', () => 'update deliveries set id = gen_random_uuid()'],
    [
      'a message to a service was given up',
      () => 'update deliveries set gave_up_at = now(), delivered_at = null',
    ],
    [
      'an invoice is paid by several payments',
      () =>
        `insert into payment_shares (payment_reference, invoice_number, booked) select 'another', invoice_number, 1 from payment_shares`,
    ],
    ['what is booked for an invoice does not fit its status', () => 'update payment_shares set booked = 0'],
    [
      'a paid reservation is not granted, or an unpaid one is',
      () => 'update reservations set granted_at = null where invoice_number is not null',
    ],
    [
      'what stands at the provider is not what is booked',
      () => 'update provider_simulator.payments set standing_amount = 0',
    ],
    ['we know a payment that the provider does not', () => 'delete from provider_simulator.payments'],
    [
      'money that no invoice took has not gone back',
      () => 'update payments set surplus = 1 where booked > 0',
    ],
    ['the zone is not what its domains say', () => 'delete from zone_records'],
    ['a zone has another serial than its newest change', () => 'update zones set serial = 1'],
    ['a change is not one event', () => "delete from webhook_events where type = 'domain.registered'"],
    [
      'a poll message is not one event',
      () => "update webhook_events set message_id = 0 where type = 'domain.transferred_away'",
    ],
    [
      'an event is not of the type of its message',
      () => "update webhook_events set type = 'domain.updated' where type = 'domain.transferred_away'",
    ],
    [
      'an event has no cause',
      () => "update webhook_events set sequence = 0 where type = 'domain.registered'",
    ],
    [
      'a feed and a webhook differ',
      () => "update webhook_events set data = '{}' where type = 'domain.registered'",
    ],
    [
      'a feed lacks an event',
      () =>
        `update history set transaction = '9000000000000' where operation = 'create' and object_kind = 'domain'`,
    ],
    ['an event has no delivery', () => 'delete from webhook_deliveries'],
    ['a bulk job does not have its rows', () => 'delete from bulk_job_rows'],
    ['a bulk job counts its rows wrongly', () => 'update bulk_jobs set changed = 0, unchanged = 1'],
    [
      'a changed row of a bulk job is not one change',
      () => `update history set request_id = 'another' where operation = 'renew'`,
    ],
    ['a bulk job is charged otherwise than its rows', () => 'update bulk_jobs set charged = 1'],
    [
      'a bulk job was taken back otherwise than it was begun',
      () =>
        `update history set after = after || '{"nameservers": [{"hostname": "x"}]}' where request_id in (select request_id from bulk_jobs where kind = 'undo')`,
    ],
    [
      'a bulk job that is done is not told once',
      () => `update history set operation = 'other' where operation = 'finish bulk job'`,
    ],
    [
      'a registrant was asked otherwise than a bulk job says',
      () =>
        `with j as (update bulk_jobs set kind = 'registrant' where kind = 'nameservers' returning request_id)
        update history set operation = 'ask for registrant change' where request_id in (select request_id from j)`,
    ],
  ])('failure: %s', async (finding, damage) => {
    expect(await afterDamage(damage(), findingsOf)).toContain(finding);
  });
});

describe('messages about money', () => {
  const found = async (db: Sql) =>
    (await auditMoneyMessages(db)).map(({ subject, expected, found }) => `${subject}: ${expected}, ${found}`);
  const again = (type: string) =>
    `insert into poll_messages (registrar_id, type, text, created_at)
    select registrar_id, type, text, created_at from poll_messages where type = '${type}'`;

  test.each([
    ['invoice_issued', 'Invoice \\d+ over 124.00 EUR was issued; it is due on [\\d-]+'],
    ['invoice_paid', 'Invoice \\d+ over 124.00 EUR was paid'],
    ['invoice_refunded', 'Invoice \\d+ over 124.00 EUR was refunded'],
    ['balance_debited', '40.00 EUR were taken from your account: Correction: test. Its balance is 65.00 EUR'],
    ['debt_incurred', 'Reversal of invoice \\d+: 100.00 EUR were taken .* You owe 35.00 EUR; .*'],
    ['debt_repaid', '35.00 EUR of your debt were repaid; you owe 0.00 EUR'],
  ])('failure: %s is missing, duplicated or about another registrar', async (type, text) => {
    const missing = await afterDamage(`delete from poll_messages where type = '${type}'`, found);
    expect(missing).toEqual([expect.stringMatching(new RegExp(`^POOR ${type}: ${text}: 1, 0$`))]);
    expect(await afterDamage(again(type), found)).toEqual([expect.stringMatching(/: 1, 2$/)]);
    const another = `update poll_messages set registrar_id = (select id from registrars where code = 'BETA') where type = '${type}'`;
    expect((await afterDamage(another, found)).toSorted()).toEqual([
      expect.stringMatching(/^BETA .*: 0, 1$/),
      expect.stringMatching(/^POOR .*: 1, 0$/),
    ]);
  });

  test('failure: a credit, which came once by a payment and once by a correction', async () => {
    const missing = await afterDamage("delete from poll_messages where type = 'balance_credited'", found);
    expect(missing.toSorted()).toEqual([
      expect.stringMatching(
        /^POOR balance_credited: 100.00 EUR were credited to your account: Top-up by invoice \d+\. Its balance is 105.00 EUR: 1, 0$/,
      ),
      'POOR balance_credited: 40.00 EUR were credited to your account: Correction: test. Its balance is 5.00 EUR: 1, 0',
    ]);
  });

  test.each([
    ['overdue', 'Invoice \\d+ over 124.00 EUR is overdue'],
    ['cancelled', 'Invoice \\d+ over 124.00 EUR was cancelled and can no longer be paid'],
  ])('failure: an invoice that is %s, without a message', async (status, text) => {
    const damage = `insert into invoice_changes (invoice_number, from_status, to_status, at, actor)
      select number, status, '${status}', now(), 'test' from invoices where registrar_id is not null`;
    const [only, ...others] = await afterDamage(damage, found);
    expect(only).toMatch(new RegExp(`^POOR invoice_${status}: ${text}: 1, 0$`));
    expect(others).toEqual([]);
  });

  test('failure: a statement of a month in which something was booked; not of one without, nor of an old one', async () => {
    const statement = (month: string, madeAt: string) =>
      `insert into monthly_statements (registrar_id, month, currency, opening, net_change, closing, opening_debt, debt_incurred, debt_repaid, closing_debt, created_at)
      select id, '${month}', 'EUR', 500, 100, 600, 0, 0, 0, 0, '${madeAt}' from registrars where code = 'POOR';`;
    const line = (month: string) =>
      `insert into monthly_statement_lines (registrar_id, month, position, kind, count, sum)
      select id, '${month}', 1, 'correction', 1, 100 from registrars where code = 'POOR';`;
    // Made on the first of June in Tallinn: three months are covered, of which April had nothing booked.
    const made = '2026-05-31T22:30:00Z';
    const months = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'];
    const damage = months.map(
      (month) => statement(month, made) + (month === '2026-04-01' ? '' : line(month)),
    );
    const textOf = (month: string) =>
      `POOR statement_ready: The statement of your account for ${month} is ready: opening balance 5.00 EUR, closing balance 6.00 EUR: 1, 0`;
    const findings = await afterDamage(damage.join('\n'), found);
    expect(findings.toSorted()).toEqual([textOf('2026-03'), textOf('2026-05')]);
  });
});

describe('answers to clients', () => {
  function journalOf(...attempts: Attempt[]): Journal {
    const journal = new Journal();
    journal.reservations.set(reserved.id, [reserved]);
    const intent = journal.begin('alpha', 'register', 'key');
    intent.attempts.push(...attempts);
    if (attempts.some(({ outcome }) => outcome === 'done'))
      journal.promised.set(intent, [{ operation: 'create', name }]);
    return journal;
  }
  const found = async (journal: Journal, db: Sql = registry.sql) =>
    (await auditJournal(db, journal)).map(({ finding }) => finding);

  test('success: acknowledged effects exist once, unknown ones may exist', async () => {
    expect(await found(journalOf(attempt(1, 'done')))).toEqual([]);
    expect(await found(journalOf(attempt(1, 'unknown'), attempt(2, 'done')))).toEqual([]);
    expect(await found(journalOf(attempt(1, 'unknown'), attempt(2, 'refused')))).toEqual([]);
  });

  test('failure: refused, but took effect', async () => {
    expect(await found(journalOf(attempt(1, 'refused')))).toEqual(['what was refused has happened']);
  });

  test('failure: acknowledged, without effect', async () => {
    expect(await found(journalOf(attempt(2, 'done')))).toEqual([
      'what was answered as done has not happened',
    ]);
  });

  test('failure: two effects', async () => {
    const again = `insert into history (at, object_kind, object_id, object_name, operation, actor, request_id)
      select at, object_kind, object_id, object_name, operation, actor, 'torture-2' from history where request_id = 'torture-1'`;
    const journal = journalOf(attempt(1, 'unknown'), attempt(2, 'done'));
    expect(await afterDamage(again, (db) => found(journal, db))).toEqual(['one intent had an effect twice']);
  });

  test('failure: messages, documents, numbers, invoices and reservations that differ from the answers', async () => {
    const journal = journalOf(attempt(1, 'done'));
    journal.acknowledged.add(1);
    journal.documents.push('a request without one');
    journal.invoices.set(999, 'auction');
    journal.numbers.set(999, 'auction');
    journal.reservations.set(reserved.id, [{ ...reserved, password: 'another' }]);
    expect(await found(journal)).toEqual([
      'a message that was acknowledged is unread',
      'a legal document is not there',
      'an invoice that was issued is not there',
      'a number that was handed out is not taken',
      'a name that was reserved is not held as it was answered',
    ]);
  });

  test('failure: a reservation that was never acknowledged', async () => {
    const journal = journalOf(attempt(1, 'done'));
    journal.reservations.clear();
    expect(await found(journal)).toEqual(['there are reservations that no client has an answer for']);
  });

  test('failure: a service that missed a message, and one that received too many', async () => {
    const sent = await registry.sql.rows(sql<{ id: string; service: string; body: string }>`
      select id, substr(target, 9) as service, body from deliveries where target like 'service:%'`);
    expect(await auditDeliveries(registry.sql, [...sent, ...sent])).toEqual([]);
    const other = { service: 'auction', id: 'other', body: '{}' };
    const findings = await auditDeliveries(registry.sql, [...sent.slice(1), other]);
    expect(findings.map(({ finding }) => finding)).toEqual([
      'a service has not received a message',
      'a service has received what nobody sent',
    ]);
  });
});

describe('forms that begin bulk jobs', () => {
  const found = async (ids: readonly string[], most = 1) => {
    // That of the nameservers, and what took it back.
    const others = { ids: new Set<string>(), most: 2 };
    const findings = await auditBegunJobs(registry.sql, [{ ids: new Set(ids), most }, others]);
    return findings.map(({ finding }) => finding);
  };

  test('success: a job of each form, or of one whose answer was lost', async () => {
    expect(await found([bulkJob])).toEqual([]);
    expect(await found([])).toEqual([]);
  });

  test('failure: two jobs of a form, a job that is lost, and one of no form', async () => {
    expect(await found([bulkJob, 'another'])).toEqual([
      'one form began several bulk jobs',
      'a bulk job was lost',
    ]);
    expect(await found([], 0)).toEqual(['more bulk jobs than forms']);
  });
});

describe('requests without an answer', () => {
  const DEADLINE_MS = 10_000;
  async function found(sentBeforeMs: number, outcome: Attempt['outcome'], key?: string): Promise<string[]> {
    const { at } = await registry.sql.one(sql<{ at: Date }>`
      select pg_xact_commit_timestamp(xmin) as at from history where request_id = 'torture-1'`);
    const journal = new Journal();
    const sentAt = at.getTime() - sentBeforeMs;
    journal.begin('alpha', 'register', key).attempts.push(attempt(1, outcome, sentAt));
    return (await auditDeadlines(registry.sql, journal, () => DEADLINE_MS)).map(({ finding }) => finding);
  }

  test('success: effects before the deadline, under a key, or acknowledged', async () => {
    expect(await found(9_000, 'unknown')).toEqual([]);
    expect(await found(60_000, 'unknown', 'key')).toEqual([]);
    expect(await found(60_000, 'done')).toEqual([]);
  });

  test('failure: an effect after the deadline', async () => {
    expect(await found(11_000, 'unknown')).toEqual(['an effect came after the deadline of its request']);
  });
});

describe('reads of clients', () => {
  const LATER_MS = 60_000;
  let current: { registrant: string; expireTime: string };
  let sentAt: number;
  beforeAll(async () => {
    const { domain } = (await beta(registry.url).get(`/domains/${name}`)).body.data;
    current = { registrant: domain.registrant.code, expireTime: domain.expire_time };
    sentAt = Date.now() + LATER_MS;
  });

  async function found(read: (journal: Journal) => void): Promise<string[]> {
    const journal = new Journal();
    read(journal);
    return (await auditReads(registry.sql, journal)).map(({ finding }) => finding);
  }
  const domain = (shown: typeof current | undefined, of = name, at = sentAt) =>
    found(({ domainReads }) => domainReads.push({ seen: { name: of, shown }, sentAt: at, endedAt: at }));
  const list = (registrar: string, names: string[], at = sentAt) =>
    found(({ listReads }) => listReads.push({ seen: { registrar, names }, sentAt: at, endedAt: at }));
  const lookUp = (expireTime: string | undefined, of = name) =>
    found(({ lookups }) => lookups.push({ seen: { name: of, expireTime }, sentAt, endedAt: sentAt }));
  const WRONG = 'a read was answered with what was not there';

  test('success: the state at that time', async () => {
    expect(await domain(current)).toEqual([]);
    expect(await domain(undefined, 'nobody-has-it.ee')).toEqual([]);
    expect(await domain(undefined, name, 1)).toEqual([]);
    expect(await list('BETA', [name])).toEqual([]);
    expect(await list('ALPHA', [])).toEqual([]);
  });

  test('success: the state shown to the public', async () => {
    expect(await lookUp(new Date(current.expireTime).toISOString())).toEqual([]);
    expect(await lookUp(undefined, 'nobody-has-it.ee')).toEqual([]);
  });

  test('failure: another state shown to the public', async () => {
    expect(await lookUp(undefined)).toEqual([WRONG]);
    expect(await lookUp('')).toEqual([WRONG]);
    expect(await lookUp(current.expireTime, 'nobody-has-it.ee')).toEqual([WRONG]);
    expect(await lookUp('2020-01-01T00:00:00Z')).toEqual([WRONG]);
  });

  test('failure: not found, but existing', async () => {
    expect(await domain(undefined)).toEqual([WRONG]);
  });

  test('failure: found, but not existing', async () => {
    expect(await domain(current, 'nobody-has-it.ee')).toEqual([WRONG]);
    expect(await domain(current, name, 1)).toEqual([WRONG]);
  });

  test('failure: another state than it ever had', async () => {
    expect(await domain({ ...current, registrant: 'ANOTHER:1' })).toEqual([WRONG]);
    expect(await domain({ ...current, expireTime: '2020-01-01T00:00:00.000+02:00' })).toEqual([WRONG]);
  });

  test('failure: a list that lacks an own domain, or has a foreign one', async () => {
    expect(await list('BETA', [])).toEqual([WRONG]);
    expect(await list('ALPHA', [name])).toEqual([WRONG]);
  });
});

describe('processes', () => {
  const life = (endedBy: Life['endedBy']): Life => ({
    node: 'one',
    pid: 7,
    endedBy,
    endedAt: undefined,
    said: 'TypeError',
  });

  test('success: those that live, and those that were killed', () => {
    expect(auditProcesses([life('us'), life('nobody yet')])).toEqual([]);
  });

  test('failure: one that exited unexpectedly', () => {
    expect(auditProcesses([life('us'), life('itself')])).toMatchObject([
      { finding: 'a process ended by itself', found: 'TypeError' },
    ]);
  });
});

describe('effects through EPP', () => {
  const THROUGH_EPP = `update history set actor = 'epp:alpha', request_id = 'a server''s id', client_transaction_id = 'torture-77' where request_id = 'torture-1'`;
  function journalOf(who: string, number: number, outcome: Attempt['outcome'] = 'done'): Journal {
    const journal = new Journal();
    const intent = journal.begin(who, 'EPP register', undefined);
    intent.attempts.push(attempt(number, outcome));
    if (outcome === 'done') journal.promised.set(intent, [{ operation: 'create', name }]);
    return journal;
  }
  const found = (journal: Journal, damage = THROUGH_EPP) =>
    afterDamage(damage, async (db) => {
      const ofJournal = (await auditJournal(db, journal)).filter(({ subject }) => subject.includes('EPP'));
      return [...ofJournal, ...(await auditEppHistory(db, journal))].map(({ finding }) => finding);
    });

  test('success: it has the clTRID of a command of the same user', async () => {
    expect(await found(journalOf('ALPHA-epp-ietf', 77))).toEqual([]);
    expect(await found(journalOf('ALPHA-epp-ietf', 77, 'unknown'))).toEqual([]);
  });

  test('failure: refused, or half a frame, but took effect', async () => {
    expect(await found(journalOf('ALPHA-epp-ietf', 77, 'refused'))).toEqual([
      'what was refused has happened',
    ]);
  });

  test.each([
    ['by a command that nobody sent', journalOf('ALPHA-epp-ietf', 78, 'unknown'), THROUGH_EPP],
    ['by a command of another user', journalOf('BETA-epp-ee', 77, 'unknown'), THROUGH_EPP],
    [
      'without a clTRID',
      journalOf('ALPHA-epp-ietf', 77, 'unknown'),
      `update history set actor = 'epp:alpha' where request_id = 'torture-1'`,
    ],
  ])('failure: %s', async (_, journal, damage) => {
    expect(await found(journal, damage)).toEqual(['a change through EPP that no client sent']);
  });

  test('failure: a clTRID of the other interface, and one command twice', async () => {
    const other = `update history set client_transaction_id = 'torture-77' where request_id = 'torture-1'`;
    expect(await found(journalOf('ALPHA-epp-ietf', 77), other)).toEqual(['a clTRID of another interface']);
    const twice = `${THROUGH_EPP}; update history set actor = 'epp:alpha', request_id = 'another', client_transaction_id = 'torture-77' where operation = 'transfer'`;
    expect(await found(journalOf('ALPHA-epp-ietf', 77), twice)).toEqual([
      'one command was carried out twice',
    ]);
  });
});
