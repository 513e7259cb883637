import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, hiddenField, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { moneyObjects } from '../../support/money-objects.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: ConsoleClient;
let other: ConsoleClient;
let objects: { readonly number: string; readonly month: string };

beforeAll(async () => {
  registry = await startRegistry();
  [client, other] = [await loggedIn(registry.url), await loggedIn(registry.url, 'beta')];
  objects = await moneyObjects(registry);
  // 60 renewals on 2 March 2021 and a correction on the 3rd, older than all entries of the seed.
  await registry.sql.run(sql`
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor)
    select timestamptz '2021-03-02 12:00Z' + n * interval '1 second', a.id, revenue.id, n,
      case n when 61 then 'correction' else 'renew' end, case n when 61 then '=1+1' else 'Renew old-' || n || '.ee' end, a.registrar_id, 1000000, 'test'
    from generate_series(1, 61) n, ledger_accounts a join registrars r on r.id = a.registrar_id and r.code = 'ALPHA'
    join ledger_accounts revenue on revenue.kind = 'revenue' and revenue.currency = a.currency
    where a.kind = 'registrar'`);
});
afterAll(() => registry.stop());

const found = (text: string) => [...text.matchAll(/Renew old-\d+\.ee/g)].length;
const countInvoices = async () =>
  (await registry.sql.one(sql<{ count: number }>`select count(*) from invoices where kind = 'top-up'`)).count;
const RANGE = 'from=2021-03-02&to=2021-03-02';

describe('the balance', () => {
  test('success: it shows the account, and links to its forms', async () => {
    const { status, text } = await client.get('/console/balance');
    expect(status).toBe(200);
    expect(text).toMatch(/Balance<\/h2>\n<p class="large">€[\d,]+\.\d\d/);
    expect(text).toContain('Opening entry');
    expect(text).toContain('action="/console/balance/top-up"');
    expect(text).toContain('href="/console/balance/settings"');
    expect(text).toContain(`href="/console/invoices/${objects.number}"`);
  });

  test.each([
    [RANGE, 50, '61 found'],
    [`${RANGE}&kind=renew`, 50, '60 found'],
    [`${RANGE}&kind=correction`, 0, '1 found'],
    [`${RANGE}&kind=top-up`, 0, 'No transaction matches'],
    ['from=2021-03-03&to=2021-03-04', 0, 'No transaction matches'],
  ])('success: ?%s', async (query, renewals, words) => {
    const { text } = await client.get(`/console/balance?${query}`);
    // The newest of the day is the correction.
    expect(found(text)).toBe(renewals === 50 && !query.includes('kind') ? 49 : renewals);
    expect(text).toContain(words);
  });

  test('success: pagination without gap or overlap', async () => {
    const first = await client.get(`/console/balance?${RANGE}`);
    const next = /href="([^"]+after=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await client.get(next);
    const names = [first, second].flatMap(({ text }) => text.match(/Renew old-\d+\.ee/g) ?? []);
    expect([names.length, new Set(names).size]).toEqual([60, 60]);
    expect(names[0]).toBe('Renew old-60.ee');
  });

  test.each(['kind=gift', 'from=yesterday', 'to=2021-13-40'])('failure: ?%s', async (query) => {
    const { status, text } = await client.get(`/console/balance?${query}`);
    expect([status, text.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect((await client.get(`/console/balance.csv?${query}`)).status).toBe(404);
  });

  test('success: the file has the whole filter, no formula, and sums as numbers', async () => {
    const { headers, text } = await client.get(`/console/balance.csv?${RANGE}`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"');
    const [head, newest, renewal, ...rest] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'time,kind,description,sum,balance,currency,invoice,domain,months,customer,customer_name,by,request_id',
    );
    expect(newest).toBe("2021-03-02T14:01:01+02:00,correction,'=1+1,-0.61,10000.00,EUR,,,,,,,");
    expect(renewal).toContain('renew,Renew old-60.ee,-0.60,');
    expect(rest).toHaveLength(59);
  });

  test('failure: nothing of another registrar', async () => {
    expect((await other.get(`/console/balance?${RANGE}`)).text).toContain('No transaction matches');
    expect((await other.get(`/console/balance.csv?${RANGE}`)).text.trim().split('\r\n')).toHaveLength(1);
  });

  test('success: a debt, and that it blocks all charges', async () => {
    const setDebt = (cents: number) =>
      registry.sql.run(sql`
        update ledger_accounts set balance = ${cents}::bigint where kind = 'debt' and registrar_id = (select id from registrars where code = 'BETA')`);
    await setDebt(4200);
    expect((await other.get('/console/balance')).text).toMatch(/€42\.00<\/strong> <br>Nothing can be bought/);
    await setDebt(0);
    expect((await other.get('/console/balance')).text).not.toContain('Nothing can be bought');
  });
});

describe('charges', () => {
  let customer: string;
  beforeAll(async () => {
    const owner = await Registrant.of(alpha(registry.url), { name: 'Eha Sepp' });
    customer = owner.code;
    for (const name of ['kaks-aastat.ee', 'teine-nimi.ee']) await owner.register({ name, period: 2 });
    const other = await Registrant.of(alpha(registry.url), { name: 'Jaan Lepik' });
    await other.register({ name: 'kolmas-nimi.ee' });
  });
  const shown = async (about: string, browser = client) => {
    const query = new URLSearchParams({ about });
    const { status, text } = await browser.get(`/console/balance?${query}`);
    const names = ['kaks-aastat.ee', 'teine-nimi.ee', 'kolmas-nimi.ee'];
    return { status, text, names: names.filter((name) => text.includes(`/domains/${name}"`)) };
  };

  test.each([
    ['eha sepp', ['kaks-aastat.ee', 'teine-nimi.ee']],
    ['EHA', ['kaks-aastat.ee', 'teine-nimi.ee']],
    ['kaks-aastat.ee', ['kaks-aastat.ee']],
    ['-NIMI', ['teine-nimi.ee', 'kolmas-nimi.ee']],
    ['sepp', ['kaks-aastat.ee', 'teine-nimi.ee']],
    ['sepp*', []],
    ['eha*', ['kaks-aastat.ee', 'teine-nimi.ee']],
    ['*nimi.ee', ['teine-nimi.ee', 'kolmas-nimi.ee']],
    ['"eha sepp"', ['kaks-aastat.ee', 'teine-nimi.ee']],
    ['%', []],
  ])('success: those of %s', async (about, names) => {
    expect((await shown(about)).names).toEqual(names);
  });

  test('success: those of a customer by its code, with name, period, amount and who did it', async () => {
    const { text } = await shown(customer.toUpperCase());
    for (const words of ['Eha Sepp', 'Registration, 2 years', '−€18.00', '<bdi>alpha</bdi>'])
      expect(text).toContain(words);
    expect(text).not.toContain('Jaan Lepik');
  });

  test('success: by customer, the most first; each leads to its charges', async () => {
    const { status, text } = await client.get('/console/balance/customers');
    expect(status).toBe(200);
    const rows = Array.from(
      text.matchAll(/<a href="([^"]+)"><bdi>([^<]+)<\/bdi>[\s\S]*?(€[\d.]+)/g),
      ([, address = '', name, sum]) => ({ address: address.replaceAll('&amp;', '&'), name, sum }),
    );
    expect(rows.map(({ name, sum }) => [name, sum]).slice(0, 2)).toEqual([
      ['Eha Sepp', '€36.00'],
      ['Jaan Lepik', '€9.00'],
    ]);
    const { text: own } = await client.get(rows[0]?.address ?? '');
    expect([own.includes('2 found'), own.includes('teine-nimi.ee')]).toEqual([true, true]);
    expect((await other.get('/console/balance/customers')).text).not.toContain('Eha Sepp');
  });

  test('success: a month without charges, and links to its neighbours; failure: no month', async () => {
    const { text } = await client.get('/console/balance/customers?month=2020-01');
    expect(text).toContain('Nothing was registered or renewed in this month.');
    for (const month of ['2019-12', '2020-02']) expect(text).toContain(`?month=${month}"`);
    for (const month of ['2020-13', 'x'])
      expect((await client.get(`/console/balance/customers?month=${month}`)).status).toBe(404);
  });

  test('success: one line of the file for each charge', async () => {
    const { text } = await client.get(`/console/balance.csv?about=${encodeURIComponent('eha sepp')}`);
    const [, ...lines] = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    for (const [index, name] of ['teine-nimi.ee', 'kaks-aastat.ee'].entries()) {
      expect(lines[index]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[23]:00,create,/);
      expect(lines[index]).toContain(`,EUR,,${name},24,${customer},Eha Sepp,user:alpha,`);
    }
  });

  test('success: by the number of an invoice', async () => {
    const { text } = await shown(objects.number);
    expect(text).toContain('No transaction matches');
  });

  test('failure: a text that nothing can have', async () => {
    const { status, text } = await shown('a\u0001b');
    expect([status, text.includes('aria-invalid="true"')]).toEqual([400, true]);
  });

  test('failure: customers are neither shown to nor found by whoever may not see them', async () => {
    const setRoles = (role: string) =>
      registry.sql.run(sql`
        update memberships m set roles = array[${role}] from people p where p.id = m.person_id and p.email_key = 'alpha@sandbox.example'`);
    await setRoles('billing');
    const [byName, byDomain] = [await shown('eha sepp'), await shown('kaks-aastat')];
    const file = await client.get('/console/balance.csv');
    await setRoles('admin');
    expect(byName.text).toContain('No transaction matches');
    expect(byDomain.text).toContain('kaks-aastat.ee');
    for (const text of [byDomain.text, file.text]) expect(text).not.toContain('Eha Sepp');
  });

  test('failure: nothing of another registrar', async () => {
    expect((await shown('eha sepp', other)).text).toContain('No transaction matches');
  });

  test('success: amounts in the form of the reader', async () => {
    const speak = (lang: string) =>
      registry.sql.run(sql`update people set language = ${lang} where email_key = 'alpha@sandbox.example'`);
    await speak('et');
    const { text } = await shown(customer, await loggedIn(registry.url));
    await speak('en');
    for (const words of ['Registreerimine, 2 aastat', '−18,00\u00a0€']) expect(text).toContain(words);
  });
});

describe('invoices', () => {
  test.each([
    ['', true],
    ['status=unpaid', true],
    ['status=overdue', false],
    ['from=2000-01-01&to=2000-01-02', false],
  ])('success: the list ?%s', async (query, isThere) => {
    const link = `href="/console/invoices/${objects.number}"`;
    expect((await client.get(`/console/invoices?${query}`)).text.includes(link)).toBe(isThere);
    const { text } = await client.get(`/console/invoices.csv?${query}`);
    expect(text.includes(`\r\n${objects.number},unpaid,`)).toBe(isThere);
  });

  test.each(['status=gone', 'from=never'])('failure: the list ?%s', async (query) => {
    expect((await client.get(`/console/invoices?${query}`)).status).toBe(400);
  });

  test('success: the pages of the list, by number', async () => {
    const issue = sql`
      with numbers as (
        insert into invoice_numbers (number, initiator, allocated_at) select n, 'registry', now() from generate_series(900001, 900051) n returning number)
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, registrar_id, automatic, issued_at, due_date)
      select number, 'registry', 'top-up', 'cancelled', 'EUR', 124, 100, 24, 24, '', (select id from registrars where code = 'BETA'), false, now(), now()
      from numbers`;
    await registry.sql.run(issue);
    const first = await other.get('/console/invoices?status=cancelled');
    expect(first.text).toContain('51 found');
    const next = /href="([^"]+after=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await other.get(next);
    expect(second.text.match(/\/invoices\/9000\d\d"/g)).toEqual(['/invoices/900001"']);
    expect((await other.get('/console/invoices.csv')).text.trim().split('\r\n')).toHaveLength(52);
  });

  test('success: one invoice with its link to pay, its PDF and its e-invoice', async () => {
    const address = `/console/invoices/${objects.number}`;
    const { text } = await client.get(address);
    for (const words of ['€100.00', '€24.00', '€124.00', 'Unpaid']) expect(text).toContain(words);
    expect(text).toMatch(/<a class="act" href="http[^"]+" rel="noreferrer">Pay this invoice/);
    const pdf = await client.get(`${address}/pdf`);
    expect([pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
    const name = `attachment; filename="invoice-${objects.number}.pdf"`;
    expect(pdf.headers.get('content-disposition')).toBe(name);
    expect((await client.get(`${address}/ubl`)).text).toContain('urn:oasis:names:specification:ubl');
  });

  test('success: an invoice that cannot be paid has no link', async () => {
    const setStatus = (status: string) =>
      registry.sql.run(sql`update invoices set status = ${status} where number = ${Number(objects.number)}`);
    await setStatus('cancelled');
    expect((await client.get(`/console/invoices/${objects.number}`)).text).not.toContain('class="act"');
    await setStatus('unpaid');
  });

  test.each(['0', 'abc', '99999999999999999', '-1'])('failure: the invoice %s', async (number) => {
    expect((await client.get(`/console/invoices/${number}`)).status).toBe(404);
  });
});

describe('the top-up', () => {
  const path = '/console/balance/top-up';

  test('success: previewed, issued once, and shown with its link', async () => {
    const before = await countInvoices();
    const preview = await client.post(path, { amount: '250,5', step: 'preview' });
    for (const words of ['€250.50', '€60.12', '€310.62']) expect(preview.text).toContain(words);
    expect(preview.text).not.toContain('Free of charge');
    expect(await countInvoices()).toBe(before);
    const [key, price] = ['key', 'price'].map((name) => hiddenField(preview.text, name));
    const form = { amount: '250,5', key: key ?? '', price: price ?? '', step: 'confirm' };
    const [first, again] = [await client.post(path, form), await client.post(path, form)];
    expect(first.to).toMatch(/^\/console\/invoices\/\d+\?notice=invoiceIssued$/);
    expect(again.to).toBe(first.to);
    expect(await countInvoices()).toBe(before + 1);
    expect((await client.get(first.to ?? '')).text).toContain('Pay this invoice');
    const { actor } = await registry.sql.one(
      sql<{ actor: string }>`select actor from invoice_changes order by sequence_number desc limit 1`,
    );
    expect(actor).toBe('person:alpha@sandbox.example');
    const changed = await client.post(path, { ...form, amount: '9999' });
    expect([changed.status, changed.text.includes('already submitted with other content')]).toEqual([
      400,
      true,
    ]);
    expect(await countInvoices()).toBe(before + 1);
  });

  test.each(['1 500,00', '1\u00a0500,00 €', '1,500.00', '1.500,00', '€1,500', '1500'])(
    'success: %j is 1500.00',
    async (amount) => {
      expect((await client.post(path, { amount, step: 'preview' })).text).toContain('€1,500.00');
    },
  );

  test.each(['', '0', '-5', 'ten', '1.234', '100000000.01', '1e9'])('failure: %j', async (amount) => {
    const before = await countInvoices();
    const { status, text } = await client.post(path, { amount, step: 'confirm' });
    expect([status, text.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect(await countInvoices()).toBe(before);
  });
});

describe('the warning and the automatic invoice', () => {
  const path = '/console/balance/settings';
  const settings = () =>
    registry.sql.one(sql<{ all: (string | null)[] }>`
      select array[low_balance::text, top_up_amount::text, top_up_threshold::text] as all from registrars where code = 'BETA'`);
  const save = async (fields: Record<string, string>) => {
    const preview = await other.post(path, { ...fields, step: 'preview' });
    const hidden = Object.fromEntries(
      ['key', 'price'].map((name) => [name, hiddenField(preview.text, name)]),
    );
    return other.post(path, { ...fields, ...hidden, step: 'confirm' });
  };

  test.each([
    [{ low_balance: '50', amount: '500.00', threshold: '20,00' }, ['5000', '50000', '2000']],
    [{ low_balance: '', amount: '500.00', threshold: '0' }, [null, '50000', '0']],
    [{ low_balance: '50', amount: '', threshold: '' }, ['5000', null, null]],
    [{ low_balance: '', amount: '', threshold: '' }, [null, null, null]],
  ])('success: %j', async (fields, stored) => {
    expect((await save(fields)).to).toBe('/console/balance?notice=accountSettingsChanged');
    expect((await settings()).all).toEqual(stored);
  });

  test('success: each change is in the history with the person, unchanged values are not', async () => {
    const history = await registry.sql.rows(sql<{ operation: string; actor: string }>`
      select h.operation, h.actor from history h where h.object_kind = 'registrar' and h.object_name = 'BETA' and h.operation like 'set %' order by h.id`);
    expect(history.map(({ operation }) => operation)).toEqual([
      'set low balance',
      'set top-up',
      'set low balance',
      'set top-up',
      'set low balance',
      'set top-up',
      'set low balance',
    ]);
    expect(new Set(history.map(({ actor }) => actor))).toEqual(new Set(['person:beta@sandbox.example']));
  });

  test.each([
    { low_balance: 'x', amount: '', threshold: '' },
    { low_balance: '', amount: '500', threshold: '' },
    { low_balance: '', amount: '', threshold: '20' },
    { low_balance: '', amount: '0', threshold: '20' },
    { low_balance: '100000000.01', amount: '', threshold: '' },
  ])('failure: %j', async (fields) => {
    const { status, text } = await other.post(path, { ...fields, step: 'preview' });
    expect([status, text.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect((await settings()).all).toEqual([null, null, null]);
  });
});

describe('statements', () => {
  test('success: the list, one month, and its files', async () => {
    const address = `/console/statements/${objects.month}`;
    const list = await client.get('/console/statements');
    for (const words of ['February 2020', '€123.45', '−€9.00', '€114.45', `${address}/pdf`])
      expect(list.text).toContain(words);
    expect((await client.get('/console/statements?before=2020-02')).text).toContain(
      'There are no statements',
    );
    const one = await client.get(address);
    for (const words of ['Renewal', '1y', 'New debt', '€7.00']) expect(one.text).toContain(words);
    expect((await client.get(`${address}/pdf`)).text.slice(0, 5)).toBe('%PDF-');
    expect((await client.get(`${address}/csv`)).text).toContain('ALPHA,2020-02,renew,ee,1y,1,-9.00,EUR');
    expect((await other.get('/console/statements')).text).not.toContain('February 2020');
  });

  test.each(['2020-13', 'x', '2019-01'])('failure: the month %s', async (month) => {
    for (const path of ['', '/pdf', '/csv'])
      expect((await client.get(`/console/statements/${month}${path}`)).status).toBe(404);
  });
});
