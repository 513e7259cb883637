import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RequestKey, storingAs } from '../../../src/operations/stored-answers.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { correctContact } from '../../../src/registry/contacts/correct-contact.ts';
import { deleteDomain } from '../../../src/registry/domains/delete-domain.ts';
import { readRegistered } from '../../../src/registry/domains/readings/read-domain.ts';
import { runLifecycle } from '../../../src/registry/lifecycle/run-lifecycle.ts';
import { transferDomain } from '../../../src/registry/transfers/transfer-domain.ts';
import { Payer } from '../../support/billing.ts';
import { alpha, type Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { Registrant } from '../../support/domains.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const HOUR_MS = 3_600_000;
const NOTHING = { domain: null, contact: null, invoice: null, amount: null, direction: null, key: null };
const membersAbout = (text: string) =>
  core.database.reads.rows(sql<{ type: string }>`
    select type, domain, contact, invoice_number as invoice, amount::text as amount, direction, idempotency_key as key
    from poll_messages where text like ${`%${text}%`} order by id`);
const keyOf = (key: string): RequestKey =>
  storingAs(
    {
      scope: 'registrar:1',
      key,
      fingerprint: Buffer.from(key),
      isClients: true,
    },
    () => ({}),
  );

test('success: a transfer has its direction, and its key for the registrar that made it', async () => {
  const [loser, gainer] = [await core.context('alpha'), await core.context('beta')];
  const name = await core.domain(loser);
  const transferCode = (await readRegistered(core.database.reads, name, loser))?.transferCode ?? '';
  const requestKey = keyOf(freshCode());
  await transferDomain(core.database, { name, transferCode }, { ...gainer, requestKey });
  expect(await membersAbout(name)).toEqual([
    { ...NOTHING, type: 'transferred_away', domain: name, direction: 'out' },
    { ...NOTHING, type: 'transferred_in', domain: name, direction: 'in', key: requestKey.key },
  ]);
});

test('success: the outcome of what a registrant was asked has the key of the request; a released domain keeps its name', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context, { months: 3 });
  const requestKey = keyOf(freshCode());
  const deletion = { name, verified: false, transferCode: undefined };
  await core.run(deleteDomain, deletion, { ...context, requestKey });
  for (const hours of [49, 24 * 200, 24 * 250, 24 * 252])
    await runLifecycle(core.database, new Date(Date.now() + hours * HOUR_MS), context.policy, false);
  const found = await membersAbout(name);
  expect(found[0]).toEqual({ ...NOTHING, type: 'deletion_lapsed', domain: name, key: requestKey.key });
  expect(found.at(-1)).toEqual({ ...NOTHING, type: 'deleted', domain: name });
});

test('success: a contact that its registrant changed', async () => {
  const code = await core.contact(await core.context('alpha'));
  const correction = { code, changes: { disclosedAttributes: ['email'] as const }, isByRegistrant: true };
  await carryOut(core.database.writes, correctContact, correction, operator({ now: new Date() }));
  expect(await membersAbout(code)).toEqual([{ ...NOTHING, type: 'contact_updated', contact: code }]);
});

test('success: money has its amount, its invoice and the key of the request', async () => {
  const headers = { 'idempotency-key': freshCode() };
  const { body } = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } }, { headers });
  const { invoice_number: number, payment_link: link, total: amount } = body.data.invoice;
  const payer = new Payer(registry.url);
  await payer.pay(link);
  await payer.invoice(number);
  const messages = (await client.get('/registrar/notifications/all_notifications?sort=created_at')).body.data;
  const nothing = { domain: null, contact: null, direction: null };
  const invoice = { ...nothing, invoice_number: number, amount };
  expect(messages).toMatchObject([
    { type: 'invoice_issued', ...invoice, idempotency_key: headers['idempotency-key'] },
    { type: 'invoice_paid', ...invoice, idempotency_key: null },
    { type: 'balance_credited', ...invoice, amount: '100.00', idempotency_key: null },
  ]);
});

test('success: a balance that falls below its threshold tells of the request that it fell by', async () => {
  const registrant = await Registrant.of(client);
  await registry.sql.run(sql`
    update registrars r set low_balance = a.balance from ledger_accounts a
    where a.registrar_id = r.id and a.kind = 'registrar' and r.code = 'ALPHA'`);
  const headers = { 'idempotency-key': freshCode() };
  expect((await registrant.try({}, headers)).status).toBe(200);
  expect((await client.get('/registrar/notifications')).body.data).toMatchObject({
    type: 'low_balance',
    domain: null,
    idempotency_key: headers['idempotency-key'],
  });
});

test('success: the key is in the history of what the request changed, and of nothing that the registry does', async () => {
  const requestKey = keyOf(freshCode());
  const context = await core.context('alpha');
  const registrant = await core.contact(context);
  const name = await core.domain({ ...context, requestKey }, { registrant, months: 3 });
  const late = new Date(Date.now() + 100 * 24 * HOUR_MS);
  await runLifecycle(core.database, late, context.policy, false);
  const rows = await core.database.reads.rows(sql`
    select h.operation, h.idempotency_key as key, r.code as sponsor
    from history h left join registrars r on r.id = h.sponsor_id where h.object_name = ${name} order by h.id`);
  expect(rows).toEqual([
    { operation: 'create', key: requestKey.key, sponsor: null },
    { operation: 'expire', key: null, sponsor: 'ALPHA' },
    { operation: 'remind', key: null, sponsor: 'ALPHA' },
  ]);
});
