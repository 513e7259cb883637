import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { createToken } from '../../../src/reservations/create-token.ts';
import { Payer } from '../../support/billing.ts';
import { productionDatabase, startServe } from '../../support/cadastre.ts';
import { alpha } from '../../support/client.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { operator } from '../../support/operator.ts';
import { readPdf } from '../../support/pdf.ts';
import { isAfter, PORTAL_API, Portal } from '../../support/portal.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let portal: Portal;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  portal = new Portal(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[23]:00$/;
const WRONG_NAMES = {
  error: 'Invalid parameter: domain_names must be a non-empty array of valid domain names',
};
const WRONG_QUERY = { error: 'Invalid parameters: invoice_number and user_unique_id are required' };
const UNKNOWN = { error: 'Reserved domain invoice not found' };
type Invoice = { invoice_number: number; user_unique_id: string; linkpay_url: string };

const queryOf = ({ invoice_number, user_unique_id }: Invoice) =>
  `?invoice_number=${invoice_number}&user_unique_id=${user_unique_id}`;
const statusOf = (invoice: Invoice) => portal.get(`/long_reserve_domains_status${queryOf(invoice)}`);
const ordered = async (...names: string[]): Promise<Invoice> => (await portal.reserveLong(...names)).body;
const paid = async (...names: string[]): Promise<Invoice> => {
  const invoice = await ordered(...names);
  await payer.pay(invoice.linkpay_url);
  await payer.invoice(invoice.invoice_number);
  return invoice;
};

describe('POST long_reserve_domains', () => {
  test('success: 201 with an invoice and a link for the names that are available', async () => {
    const names = [freshName(), freshName()];
    const reply = await portal.reserveLong('reserved.ee', ...names, 'com.ee', 'foo.com');
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        message: 'Domains are in pending status. Need to pay for domains.',
        invoice_number: expect.any(Number),
        user_unique_id: expect.stringMatching(/^[\w-]{10}$/),
        available_domains: names,
        linkpay_url: expect.stringContaining(registry.url),
      },
    ]);
    expect(await payer.invoice(reply.body.invoice_number)).toMatchObject({
      initiator: 'business_registry',
      amount: '20.00',
    });
  });

  test('success: nothing is reserved until it is paid', async () => {
    const name = freshName();
    await ordered(name);
    expect((await portal.reserveLong(name)).status).toBe(201);
    expect((await portal.reserve(name)).status).toBe(201);
  });

  test('success: user_unique_id may be empty', async () => {
    const body = { domain_names: [freshName()], user_unique_id: '', unknown: true };
    expect((await portal.post('/long_reserve_domains', body)).status).toBe(201);
  });

  test('failure: 400 for an invalid user_unique_id and for invalid names', async () => {
    const wrongId = { domain_names: [freshName()], user_unique_id: 'short' };
    expect(await portal.post('/long_reserve_domains', wrongId)).toMatchObject({
      status: 400,
      body: { error: 'Invalid parameter: user_unique_id' },
    });
    expect(await portal.reserveLong('a b.ee')).toMatchObject({ status: 400, body: WRONG_NAMES });
    expect(await portal.send('/long_reserve_domains', '{')).toMatchObject({ status: 400 });
  });

  test('failure: 422 for too many names and for none that is available', async () => {
    expect(await portal.reserveLong(...Array.from({ length: 21 }, () => '?'))).toMatchObject({
      status: 422,
      body: { error: 'The maximum number of domain names per request is 20' },
    });
    expect(await portal.reserveLong('reserved.ee', 'blocked.ee')).toMatchObject({
      status: 422,
      body: { error: 'No available domains' },
    });
  });

  test('success: one key makes one invoice, also when it is repeated', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { domain_names: [freshName()] };
    const first = await portal.post('/long_reserve_domains', body, key);
    const second = await portal.post('/long_reserve_domains', body, key);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await portal.post('/long_reserve_domains', { domain_names: [freshName()] }, key);
    expect(other.status).toBe(400);
  });

  test('failure: 502 without a provider; nothing is issued, and free reservations still work', async () => {
    const own = await productionDatabase();
    await carryOut(own.sql, createToken, { name: 'portal', token: 'a-token' }, operator());
    const server = await startServe(own.url, { PORTAL_ALLOWED_IPS: '127.0.0.1' });
    onTestFinished(async () => void (await server.stop()));
    const other = new Portal(server.url, 'a-token');
    const reply = await other.reserveLong('maksmata.ee');
    expect([reply.status, reply.body]).toEqual([502, { error: 'Billing service unavailable' }]);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await own.sql.rows(sql`select from invoices`)).toHaveLength(0);
    expect(await own.sql.rows(sql`select from reservations`)).toHaveLength(0);
    expect((await other.reserve('maksmata.ee')).status).toBe(201);
  });
});

describe('GET long_reserve_domains_status', () => {
  test('success: pending with the names and the link, then paid with codes for a year', async () => {
    const names = [freshName(), freshName()];
    const invoice = await ordered(...names);
    const fresh = await statusOf(invoice);
    expect([fresh.status, fresh.body]).toEqual([
      200,
      {
        status: 'pending',
        message: 'Waiting for the payment',
        names,
        linkpay_url: invoice.linkpay_url,
      },
    ]);
    const before = new Date();
    await payer.pay(invoice.linkpay_url);
    await payer.invoice(invoice.invoice_number);
    const settled = await statusOf(invoice);
    const after = new Date();
    expect(settled.body).toEqual({
      status: 'paid',
      message: 'Domains are reserved',
      reserved_domains: names.map((name) => ({
        name,
        status: 'reserved',
        password: expect.stringMatching(/^[0-9a-f]{32}$/),
        expire_at: expect.stringMatching(MOMENT),
      })),
    });
    const expiry = new Date(settled.body.reserved_domains[0].expire_at);
    expect(isAfter('P1Y', expiry, before, after)).toBe(true);
    expect((await statusOf(invoice)).body).toEqual(settled.body);
  });

  test('success: cancelled, without a link, when all of its names were taken', async () => {
    const name = freshName();
    const invoice = await ordered(name);
    await paid(name);
    expect((await statusOf(invoice)).body).toEqual({
      status: 'cancelled',
      message: 'The invoice is cancelled',
      names: [name],
    });
  });

  test('success: a name that was registered with its code is registered', async () => {
    const names = [freshName(), freshName()] as const;
    const invoice = await paid(...names);
    const { reserved_domains: entries } = (await statusOf(invoice)).body;
    const registrant = await Registrant.of(alpha(registry.url));
    await registrant.register({ name: names[0], reserved_pw: entries[0].password });
    expect((await statusOf(invoice)).body.reserved_domains).toEqual([
      { name: names[0], status: 'registered' },
      entries[1],
    ]);
  });

  test('failure: 400 for a query without a number', async () => {
    for (const path of ['/long_reserve_domains_status', '/reserved_domains_invoice_pdf'])
      expect(await portal.get(`${path}?user_unique_id=aaaaaaaaaa`)).toMatchObject({
        status: 400,
        body: WRONG_QUERY,
      });
  });

  test('failure: 404 for another id, another number, and invalid ones, in the same bytes', async () => {
    const [one, other] = [await ordered(freshName()), await ordered(freshName())];
    const { body: free } = await portal.reserve(freshName());
    const invalid = [
      { ...one, user_unique_id: other.user_unique_id },
      { ...one, user_unique_id: free.user_unique_id },
      { ...one, user_unique_id: 'nonsense' },
      { ...one, user_unique_id: '%00' },
      { ...one, invoice_number: 1 },
      { ...one, invoice_number: 0 },
    ];
    for (const invoice of invalid) {
      expect(await statusOf(invoice)).toMatchObject({ status: 404, body: UNKNOWN });
      expect(await portal.get(`/reserved_domains_invoice_pdf${queryOf(invoice)}`)).toMatchObject({
        status: 404,
        body: UNKNOWN,
      });
    }
    const huge = `?invoice_number=${'9'.repeat(40)}&user_unique_id=${one.user_unique_id}`;
    expect((await portal.get(`/long_reserve_domains_status${huge}`)).status).toBe(404);
  });
});

describe('GET reserved_domains_invoice_pdf', () => {
  const fetchPdf = async (invoice: Invoice, more = '') => {
    const path = `${PORTAL_API}/reserved_domains_invoice_pdf${queryOf(invoice)}${more}`;
    const reply = await fetch(registry.url + path, {
      headers: { authorization: 'Bearer portal-sandbox-token' },
    });
    return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
  };

  test('success: 200 with the document, for the buyer that the portal names', async () => {
    const name = freshName();
    const invoice = await paid(name);
    const { reply, bytes } = await fetchPdf(invoice, `&customer_name=${encodeURIComponent('Kohvik Õnn OÜ')}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="invoice-${invoice.invoice_number}.pdf"`,
    );
    const { pages } = await readPdf(bytes);
    for (const text of [String(invoice.invoice_number), name, 'Kohvik Õnn OÜ', '10.00'])
      expect(pages.join('\n')).toContain(text);
    expect(pages.join('\n')).toMatch(/Viitenumber \/ Reference number \d{10}/);
    expect((await portal.get(`/reserved_domains_invoice_pdf${queryOf(invoice)}`)).status).toBe(200);
    const { bytes: plain } = await fetchPdf(invoice);
    expect((await readPdf(plain)).pages.join('\n')).not.toContain('Kohvik Õnn');
  });

  test('failure: 422 for an invoice that is not paid', async () => {
    const invoice = await ordered(freshName());
    const reply = await portal.get(`/reserved_domains_invoice_pdf${queryOf(invoice)}`);
    expect([reply.status, reply.body]).toEqual([422, { error: 'Invoice is not paid' }]);
  });

  test('failure: 400 for a buyer with a control character', async () => {
    const query = '?invoice_number=1&user_unique_id=aaaaaaaaaa&customer_name=a%00b';
    const reply = await portal.get(`/reserved_domains_invoice_pdf${query}`);
    expect([reply.status, reply.body]).toEqual([400, { error: 'Invalid parameter: customer_name' }]);
  });
});

test('success: no unexpected error was logged', () => {
  expect(registry.logged()).not.toContain('unexpected error');
});
