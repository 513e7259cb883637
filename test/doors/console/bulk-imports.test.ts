import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { carriedFields, type ConsoleClient, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
let jaan: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  [mari, jaan] = [await Registrant.of(alpha(registry.url)), await Registrant.of(beta(registry.url))];
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

type Fields = Record<string, string>;
const RENEW = '/console/bulk/renew';
const TRANSFER = '/console/bulk/transfer';
const preview = (path: string, fields: Fields) => console.post(path, { ...fields, step: 'preview' });
const offered = (text: string): string[] =>
  [...text.matchAll(/name="skip" value="([^"]*)"/g)].map(([, name = '']) => name);
const codeOf = async (name: string) =>
  (
    await registry.sql.one(
      sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
    )
  ).code;
/** The preview again, read by other columns. */
const rechosen = (path: string, text: string, name: string, code = '', skip: readonly string[] = []) =>
  console.post(path, [
    ...Object.entries<string>({
      ...carriedFields(text),
      step: 'columns',
      otherNameColumn: name,
      otherCodeColumn: code,
    }),
    ...skip.map((each): [string, string] => ['skip', each]),
  ]);
const skipped = (text: string): string[] =>
  [...text.matchAll(/name="skip" value="([^"]*)" checked/g)].map(([, name = '']) => name);

describe('a table of several columns', () => {
  test('success: its columns are found by their headings, said, and others are chosen', async () => {
    const name = await jaan.register();
    const other = await jaan.register();
    const table = `Klient;Domeen;Vana kood;Ülekandekood\n"Mari; <b>";${name};old-code;${await codeOf(name)}\nUku;${other};${await codeOf(other)};wrong-code\n`;
    const shown = await preview(TRANSFER, { names: table });
    expect([shown.status, offered(shown.text)]).toEqual([200, [name]]);
    expect(shown.text).toContain('Read: column 2, Domeen; code from column 4, Ülekandekood.');
    expect(shown.text).toContain('<option value="2" selected>2, Domeen</option>');
    const chosen = await rechosen(TRANSFER, shown.text, '2', '3');
    expect(offered(chosen.text)).toEqual([other]);
    expect(chosen.text).toContain('Read: column 2, Domeen; code from column 3, Vana kood.');
    const begun = await console.post(TRANSFER, { ...carriedFields(chosen.text), step: 'confirm' });
    expect(begun.status).toBe(303);
    await expect.poll(async () => (await console.get(begun.to ?? '')).text).toMatch(/Done, with failures/);
    const own = await registry.sql.rows(
      sql<{ name: string }>`select d.name from domains d join registrars r on r.id = d.registrar_id
        where r.code = 'ALPHA' and d.name = any(${[name, other]}::text[])`,
    );
    expect(own).toEqual([{ name: other }]);
  });

  test('success: periods are numbers below their unit', async () => {
    const names = [await mari.register(), await mari.register()];
    const table = `Customer,Years,Domain name\nMari,2,${names[0]}\nUku,,${names[1]}\n`;
    const { text } = await preview(RENEW, { period: '1y', names: table });
    expect(offered(text)).toEqual(names);
    expect(text).toContain('Read: column 3, Domain name; period from column 2, Years.');
    expect(text).toContain('Renew 2 domains · €27.00');
    const chosen = await rechosen(RENEW, text, '3');
    expect(chosen.text).toContain('Read: column 3, Domain name.');
    expect(chosen.text).toContain('Renew 2 domains · €18.00');
  });

  test('success: without headings; a list of names says nothing of columns', async () => {
    const name = await mari.register();
    const { text } = await preview('/console/bulk/hold', { change: 'hold', names: `1,Mari,${name}` });
    expect(offered(text)).toEqual([name]);
    expect(text).toContain('Read: column 3.');
    expect(text).not.toContain('otherCodeColumn');
    const list = await preview('/console/bulk/hold', { change: 'hold', names: `domain\n${name}` });
    expect(list.text).not.toContain('nameColumn');
  });

  test('success: in Estonian', async () => {
    const fields = { names: 'x,domeen,kood\n1,keegi.ee,saladus\n', step: 'preview' };
    await console.post('/console/language', { language: 'et' });
    const { text } = await console.post(TRANSFER, fields);
    await console.post('/console/language', { language: 'en' });
    expect(text).toContain('Loetud: veerg 2, domeen; kood veerust 3, kood.');
  });

  test.each<[string, Fields]>([
    ['0', { nameColumn: '0' }],
    ['51', { nameColumn: '51' }],
    ['no number', { nameColumn: '1e1' }],
    ['a code in column 99', { nameColumn: '1', codeColumn: '99' }],
    ['both in one', { nameColumn: '2', codeColumn: '2' }],
  ])('failure: a column that cannot be: %s', async (_what, fields) => {
    const { status, text } = await preview(TRANSFER, { names: 'a.ee,b', ...fields });
    expect([status, text.includes('Expected: 1–50')]).toEqual([400, true]);
    expect(text).toContain('a.ee,b</textarea>');
  });

  test('failure: an empty column does not mean all domains', async () => {
    const current = 'ns1.empty-column.example';
    await mari.register({
      nameservers_attributes: [{ hostname: current }, { hostname: 'ns2.empty.example' }],
    });
    const fields = { how: 'replace', current, nameservers: 'ns9.empty.example' };
    for (const list of [
      { names: 'customer,domain\nMari,\n' },
      { names: 'customer,domain\nMari,a.ee\n', nameColumn: '50' },
      { names: ',,\n' },
      { names: 'bad_', step: 'mend', line: '0', line0: '' },
    ]) {
      const sent = { step: 'preview', ...fields, ...list };
      const { status, text } = await console.post('/console/bulk/nameservers', sent);
      expect([status, text.includes('Enter at least one domain.')]).toEqual([400, true]);
    }
  });

  test('failure: headings are text in the page', async () => {
    const { text } = await preview(RENEW, { period: '1y', names: '<script>,domain\nx,nobody-has-it.ee' });
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>,');
  });
});

describe('lines that cannot be used as they are written', () => {
  /** The hidden fields of the preview, and what its text fields hold. */
  const mendForm = (text: string): Fields => {
    const written = [...text.matchAll(/name="(line\d+)" value="([^"]*)"/g)];
    const { line: _, ...carried } = carriedFields(text);
    return { ...carried, ...Object.fromEntries(written.map(([, name, value]) => [name, value])) };
  };
  const rowsOf = (text: string) =>
    [...text.matchAll(/name="line" value="(\d+)"/g)].map(([, row = '']): [string, string] => ['line', row]);
  const mend = (path: string, text: string, changes: Fields, skip: readonly string[] = []) =>
    console.post(path, [
      ...Object.entries<string>({ ...mendForm(text), ...changes, step: 'mend' }),
      ...rowsOf(text),
      ...skip.map((name): [string, string] => ['skip', name]),
    ]);

  test('success: they are mended in the preview, or left out', async () => {
    const names = [await mari.register(), await mari.register()];
    const list = `Klient;Domeen;Aastad\n"Mari; x";${names[0]};2\nUku;Customer;1\nJaan;<b>;1\n`;
    const shown = await preview(RENEW, { period: '1y', names: list });
    expect(offered(shown.text)).toEqual([names[0]]);
    expect(shown.text).toContain('Line 3: “Customer” is not a domain name.');
    expect(shown.text).toContain('Line 4: “&lt;b&gt;” is not a domain name.');
    expect(mendForm(shown.text)).toMatchObject({ line2: 'Customer,1', nameColumn: '2', codeColumn: '3' });
    const mended = await mend(RENEW, shown.text, { line2: `${names[1]},3`, line3: '' });
    expect([mended.status, offered(mended.text)]).toEqual([200, names]);
    expect(mended.text).toContain('Renew 2 domains · €45.00');
    expect(mended.text).not.toContain('name="line"');
    const begun = await console.post(RENEW, { ...carriedFields(mended.text), step: 'confirm' });
    const rows = await registry.sql.rows(sql<{ name: string; months: number }>`
      select r.name, r.months from bulk_job_rows r join bulk_jobs j on j.id = r.job_id
      where j.public_id = ${begun.to?.split('/').at(-1) ?? ''} order by r.position`);
    expect(rows).toEqual([
      { name: names[0], months: 24 },
      { name: names[1], months: 36 },
    ]);
  });

  test('success: what was left out stays left out when the list is checked again, and when it is begun', async () => {
    const names = [await mari.register(), await mari.register(), await mari.register()];
    const table = `Domain,Years\n${names[0]},1\n${names[1]},1\n${names[2]},1\nbad_,1\n`;
    const shown = await preview(RENEW, { period: '1y', names: table });
    const mended = await mend(RENEW, shown.text, { line4: '' }, names.slice(1, 2));
    expect([offered(mended.text), skipped(mended.text)]).toEqual([names, names.slice(1, 2)]);
    expect(mended.text).toContain('Renew 2 domains · €18.00');
    const rechecked = await rechosen(RENEW, mended.text, '1', '', names.slice(1, 2));
    expect(skipped(rechecked.text)).toEqual(names.slice(1, 2));
    const none = await rechosen(RENEW, rechecked.text, '1');
    expect(skipped(none.text)).toEqual([]);
    const fields: [string, string][] = [
      ...Object.entries(carriedFields(rechecked.text)),
      ['step', 'confirm'],
    ];
    const begun = await console.post(RENEW, [...fields, ['skip', names[1] ?? '']]);
    expect(begun.status).toBe(303);
    const page = await console.get(begun.to ?? '');
    expect(page.text).not.toContain(names[1]);
  });

  test('failure: the key Enter in a line begins nothing', async () => {
    const name = await mari.register();
    const { text } = await preview(RENEW, { period: '1y', names: `${name}\nbad_` });
    const form = text.slice(text.indexOf('action="/console/bulk/renew"'));
    expect(/<button[^>]*>/.exec(form)?.[0]).toBe('<button name="step" value="mend" hidden>');
  });

  test('success: still wrong ones keep their numbers', async () => {
    const name = await mari.register();
    const shown = await preview(RENEW, { period: '1y', names: `one_\ntwo_\n${name}\nfour_` });
    const mended = await mend(RENEW, shown.text, { line0: '', line1: 'else_', line3: 'four_' });
    for (const text of ['Line 2: “else_”', 'Line 4: “four_”']) expect(mended.text).toContain(text);
    expect(mended.text).not.toContain('Line 1:');
    expect(offered(mended.text)).toEqual([name]);
  });

  test('success: two periods of one domain, and wrong ones', async () => {
    const [name, other] = [await mari.register(), await mari.register()];
    const list = `${name},1y\n${name},2y\n${other},11y`;
    const shown = await preview(RENEW, { period: '1y', names: list });
    expect(shown.text).toContain('Line 2: The domain is named twice, with different periods.');
    expect(shown.text).toContain('Line 3: Expected: 3m, 6m, 9m, or 1y to 10y.');
    const mended = await mend(RENEW, shown.text, { line0: '', line2: `${other},1y` });
    expect(offered(mended.text)).toEqual([name, other]);
    expect(mended.text).toContain('Renew 2 domains · €27.00');
  });

  test('failure: what the state of a domain refuses has no field, and a wrong code counts once', async () => {
    const [name, other] = [await jaan.register(), await jaan.register()];
    const shown = await preview(TRANSFER, { names: `${name},wrong\nbad_\n${other} ${await codeOf(other)}` });
    expect(Object.keys(mendForm(shown.text)).filter((field) => /^line\d/.test(field))).toEqual(['line1']);
    const mended = await mend(TRANSFER, shown.text, { line1: '' });
    expect(offered(mended.text)).toEqual([other]);
    expect(mended.text).toContain('The code is wrong.');
    const { count } = await registry.sql.one(
      sql<{ count: number }>`select count(*)::int as count from wrong_codes where name = ${name}`,
    );
    expect(count).toBe(1);
  });

  test('failure: all are left out, lines that are not there, more than fifty', async () => {
    const shown = await preview(RENEW, { period: '1y', names: 'bad_\n'.repeat(60) });
    expect(rowsOf(shown.text)).toHaveLength(50);
    expect(shown.text).toContain('10 more lines can be corrected afterwards.');
    const few = await preview(RENEW, { period: '1y', names: 'bad_' });
    const none = await mend(RENEW, few.text, { line0: '' });
    expect([none.status, none.text.includes('Enter at least one domain.')]).toEqual([400, true]);
    const odd = { period: '1y', names: 'bad_', step: 'mend', line: '99999' };
    expect((await console.post(RENEW, { ...odd, line99999: 'x' })).text).toContain('Line 1: “bad_”');
    expect((await console.post(RENEW, { ...odd, line: '-1' })).text).toContain('Line 1: “bad_”');
    expect((await console.post(RENEW, { ...odd, nameColumn: 'x' })).status).toBe(400);
    expect((await console.post(RENEW, { ...odd, names: '"' })).status).toBe(400);
  });
});
