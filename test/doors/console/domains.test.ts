import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
let firm: Registrant;
const NAMES = ['aed.ee', 'maja.com.ee', 'mesi.ee', 'mets.ee', 'õun.ee'];

beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  mari = await Registrant.of(client, { name: 'Mari Maasikas' });
  firm = await Registrant.of(client, {
    name: 'Puuviljad OÜ',
    ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
  });
  for (const [index, name] of NAMES.entries())
    await (name === 'õun.ee' ? firm : mari).register({
      name,
      period: index + 1,
      ...(name === 'õun.ee' && { admin_contacts: [mari.code] }),
      nameservers_attributes: name === 'mets.ee' ? [] : hosts('ns1.example.net', `ns.${index}.example.net`),
    });
  await (await Registrant.of(beta(registry.url))).register({ name: 'meri.ee' });
  await registry.sql.run(
    sql`update domains set statuses = '{"serverHold": "", "clientTransferProhibited": ""}', hold_causes = '["registry"]' where name = 'mesi.ee'`,
  );
  await registry.sql.run(
    sql`update domains set statuses = '{"clientTransferProhibited": ""}' where name = 'mets.ee'`,
  );
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const ROW =
  /<td role="cell" data-label="Domain"><div>(?:<label class="pick">.*?<\/label>)?<a href="[^"]+"><bdi>([^<]+)<\/bdi>/g;
const namesIn = (text: string): string[] => [...text.matchAll(ROW)].map(([, name]) => name ?? '');
const list = async (query: Record<string, string>): Promise<string[]> => {
  const { status, text } = await console.get(`/console/domains?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return namesIn(text);
};

describe('the list of domains', () => {
  test('success: all of the registrar, by name, with their count', async () => {
    const { text } = await console.get('/console/domains');
    expect(namesIn(text)).toEqual(NAMES);
    expect(text).toContain('5 found');
    expect(text).toContain(`href="/console/contacts/${encodeURIComponent(mari.code)}"`);
  });

  test.each([
    [{ name: 'me' }, ['mesi.ee', 'mets.ee']],
    [{ name: 'MESI.ee' }, ['mesi.ee']],
    [{ name: 'xn--un-bka.ee' }, ['õun.ee']],
    [{ name: 'com' }, ['maja.com.ee']],
    [{ name: 'meri' }, []],
    [{ name: '%' }, []],
    [{ status: 'serverHold' }, ['mesi.ee']],
    [{ status: 'clientTransferProhibited' }, ['mesi.ee', 'mets.ee']],
    [{ status: 'pendingUpdate' }, []],
    [{ registrant: 'puuv' }, ['õun.ee']],
    [{ registrant: '12345678' }, ['õun.ee']],
    [{ registrant: '2345' }, ['õun.ee']],
    [{ registrant: '"1234567"' }, []],
    [{ registrant: '"12345678"' }, ['õun.ee']],
    [{ registrant: '1234*' }, ['õun.ee']],
    [{ registrant: 'MAASIK' }, NAMES.slice(0, 4)],
    [{ registrant: 'maasikas*' }, []],
    [{ registrant: '*maasikas' }, NAMES.slice(0, 4)],
    [{ registrant: '"mari maasikas"' }, NAMES.slice(0, 4)],
    [{ name: 'me*' }, ['mesi.ee', 'mets.ee']],
    [{ name: '*s*.ee' }, ['mesi.ee', 'mets.ee']],
    [{ name: '"mesi"' }, []],
    [{ name: '"MESI.ee"' }, ['mesi.ee']],
    [{ name: '"xn--un-bka.ee"' }, ['õun.ee']],
    [{ name: 'me_i' }, []],
    [{ name: 'me\\' }, []],
    [{ name: '*' }, NAMES],
    [{ nameserver: 'NS1.example.net.' }, ['aed.ee', 'maja.com.ee', 'mesi.ee', 'õun.ee']],
    [{ nameserver: 'ns.0.example.net' }, ['aed.ee']],
    [{ nameserver: '"ns.example.net"' }, []],
    [{ nameserver: '.0.EXAMPLE' }, ['aed.ee']],
    [{ nameserver: 'ns.*' }, ['aed.ee', 'maja.com.ee', 'mesi.ee', 'õun.ee']],
    [{ nameserver: '"NS.0.example.net."' }, ['aed.ee']],
    [{ nameserver: 'a b' }, []],
    [{ contact: 'nobody' }, []],
    [{ name: 'e', status: 'clientTransferProhibited', nameserver: 'ns1.example.net' }, ['mesi.ee']],
    [{ sort: '-name' }, NAMES.toReversed()],
    [{ sort: 'expire_time', name: 'ee' }, NAMES],
    [{ sort: '-created_at', registrant: 'mari' }, NAMES.slice(0, 4).toReversed()],
  ])('success: %j', async (query, names) => {
    expect(await list(query)).toEqual(names);
  });

  test('success: by a contact in any role', async () => {
    expect(await list({ contact: mari.code.toUpperCase() })).toEqual(NAMES);
    expect(await list({ contact: firm.code })).toEqual(['õun.ee']);
    expect(await list({ contact: `"${mari.code}"` })).toEqual(NAMES);
    expect(await list({ contact: `${mari.code.slice(0, -1)}*` })).toEqual(NAMES);
    expect(await list({ contact: mari.code.slice(1) })).toEqual(NAMES);
    expect(await list({ contact: `"${mari.code.slice(1)}"` })).toEqual([]);
    expect(await list({ contact: firm.code, registrant: 'mari' })).toEqual([]);
  });

  test('success: by days of expiry, both included, in any order', async () => {
    const [row] = await registry.sql.rows(
      sql<{
        day: string;
      }>`select (expire_time at time zone 'Europe/Tallinn')::date::text as day from domains where name = 'mesi.ee'`,
    );
    const day = row?.day ?? '';
    for (const sort of ['name', 'expire_time', 'created_at']) {
      expect(await list({ from: day, to: day, sort })).toEqual(['mesi.ee']);
      expect(await list({ from: day, sort })).toEqual(NAMES.slice(2));
      expect(await list({ to: day, sort })).toEqual(NAMES.slice(0, 3));
    }
  });

  test.each([
    { from: '2030-02-30' },
    { to: '0000-01-01' },
    { from: '99999-01-01' },
    { status: 'unknown' },
    { nameserver: 'a\nb' },
    { contact: 'a'.repeat(256) },
    { name: 'a\0b' },
    { registrant: '\u0007' },
  ])('failure: %j is reported at its field', async (query) => {
    const { status, text } = await console.get(`/console/domains?${new URLSearchParams(query)}`);
    expect(status).toBe(400);
    expect(text).toContain('aria-invalid="true"');
    expect((await console.get(`/console/domains.csv?${new URLSearchParams(query)}`)).status).toBe(404);
  });

  test.each([
    'after=x',
    'after=1.',
    `after=${'9'.repeat(200)}.a`,
    'after=1.%00',
    'sort=expire_time&after=1.99999999999999999999',
    'sort=created_at&after=1.name.ee',
    'sort=evil',
    `name=${'a'.repeat(4_000)}`,
    'name=a&name=b',
    'status=serverHold&status=x',
    'name=%ff%fe',
    'name[]=a&__proto__=x',
  ])('success: %# is answered without an internal error', async (query) => {
    const { status } = await console.get(`/console/domains?${query}`);
    expect([200, 400]).toContain(status);
  });

  test('success: every active filter is a link that drops it, and the others are offered', async () => {
    const chips = (text: string) =>
      [
        ...text.matchAll(
          /<a class="chip" href="([^"]*)"[^>]*><span class="hidden">Remove filter: <\/span>(.*?) <span/g,
        ),
      ].map(([, href, words]) => [href?.replaceAll('&amp;', '&'), words?.replace(/<\/?bdi>/g, '')]);
    const one = await console.get('/console/domains?name=me&sort=-name');
    expect(chips(one.text)).toEqual([['/console/domains?sort=-name', 'Name: me']]);
    expect(one.text).not.toContain('Clear all');
    const { text } = await console.get(
      '/console/domains?name=me&status=serverHold&from=2026-11-19&sort=-name',
    );
    expect(chips(text)).toEqual([
      ['/console/domains?status=serverHold&from=2026-11-19&sort=-name', 'Name: me'],
      ['/console/domains?name=me&from=2026-11-19&sort=-name', 'Status: On hold by the registry'],
      ['/console/domains?name=me&status=serverHold&sort=-name', 'Expires from: 19 November 2026'],
    ]);
    expect(text).toContain('<a class="clear" href="/console/domains?sort=-name">Clear all</a>');
    expect(text).toContain('<input type="hidden" name="status" value="serverHold">');
    const [, offered = ''] = /<details class="add">(.*?)<\/details>/s.exec(text) ?? [];
    expect([...offered.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'to',
      'registrant',
      'contact',
      'sort',
    ]);
    expect(offered).toContain('Finds the text anywhere');
  });

  test('success: text of third parties is escaped', async () => {
    const hostile = '<script>alert(1)</script>" onload="x';
    await registry.sql.run(
      sql`update contacts set name = ${hostile} where id = (select registrant_id from domains where name = 'õun.ee')`,
    );
    for (const query of [
      '',
      `?name=${encodeURIComponent(hostile)}`,
      `?sort=${encodeURIComponent(hostile)}`,
    ]) {
      const { text } = await console.get(`/console/domains${query}`);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('" onload');
    }
    await registry.sql.run(sql`update contacts set name = 'Puuviljad OÜ' where name = ${hostile}`);
  });
});

describe('pages of the list', () => {
  const COUNT = 120;
  beforeAll(async () => {
    await registry.sql.run(sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, statuses, hold_causes)
      select 'page-' || n || '.ee', 'ee', d.registrar_id, d.registrant_id, 'transfer-code', d.created_at, d.updated_at, d.expire_time, '{"serverHold": ""}', '["registry"]'
      from domains d, generate_series(1, ${COUNT}::int) as n where d.name = 'aed.ee'`);
  });
  afterAll(() => registry.sql.run(sql`delete from domains where name like 'page-%'`));

  const pagesOf = async (query: string): Promise<string[][]> => {
    const pages: string[][] = [];
    let address: string | undefined = `/console/domains?${query}`;
    while (address !== undefined) {
      const { text }: { text: string } = await console.get(address);
      pages.push(namesIn(text));
      address = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    return pages;
  };

  test.each([
    'name=page',
    'name=page&sort=-name',
    'name=page&sort=expire_time',
    'name=page&sort=-created_at',
    'status=serverHold&name=page',
    'status=serverHold&name=page&sort=-expire_time',
    'registrant=mari&name=page&sort=created_at',
  ])('success: %s has neither gaps nor repeats', async (query) => {
    const pages = await pagesOf(query);
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flat()).size).toBe(COUNT);
  });

  test('success: a page leads back to the start', async () => {
    const [first] =
      (await console.get('/console/domains?sort=-name')).text.match(/rel="next" href="[^"]+"/) ?? [];
    const next = first?.slice('rel="next" href="'.length, -1).replaceAll('&amp;', '&') ?? '';
    expect((await console.get(next)).text).toContain(
      '<a href="/console/domains?sort=-name">Back to the start</a>',
    );
  });
});

describe('the file of domains', () => {
  const linesOf = async (query: string, client = console): Promise<string[]> => {
    const { status, text, headers } = await client.get(`/console/domains.csv?${query}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="domains.csv"');
    expect(text.endsWith('\r\n')).toBe(true);
    return text.split('\r\n').slice(0, -1);
  };

  test('success: the whole filter, without transfer codes', async () => {
    const [head, ...lines] = await linesOf('status=serverHold');
    expect(head).toBe(
      'domain,statuses,created,expires,registrant,registrant_name,admin_contacts,tech_contacts,nameservers',
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^mesi\.ee,clientTransferProhibited serverHold,2\S+\+0[23]:00,2\S+\+0[23]:00,/);
    expect(lines[0]).toContain(`${mari.code},Mari Maasikas,`);
    expect(lines[0]).toContain('ns1.example.net ns.2.example.net');
    const [{ code } = { code: '' }] = await registry.sql.rows(
      sql<{ code: string }>`select transfer_code as code from domains where name = 'mesi.ee'`,
    );
    expect(lines[0]).not.toContain(code);
  });

  test('success: more than one page of the database', async () => {
    await registry.sql.run(sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select 'many-' || n || '.ee', 'ee', d.registrar_id, d.registrant_id, 'transfer-code', d.created_at, d.updated_at, d.expire_time
      from domains d, generate_series(1, 1100) as n where d.name = 'aed.ee'`);
    const [, ...lines] = await linesOf('name=many');
    expect(new Set(lines).size).toBe(1_100);
    await registry.sql.run(sql`delete from domains where name like 'many-%'`);
  });

  test('success: no cell is a formula', async () => {
    const rename = (name: string) =>
      registry.sql.run(
        sql`update contacts set name = ${name} where id = (select registrant_id from domains where name = 'õun.ee')`,
      );
    for (const sign of ['=', '+', '-', '@', '\t']) {
      await rename(`${sign}HYPERLINK("x","y")`);
      const [, line] = await linesOf('name=õun');
      expect(line).toContain(`,"'${sign}HYPERLINK(""x"",""y"")",`);
    }
    await rename('Puuviljad OÜ');
  });
});

describe('who sees domains', () => {
  test('success: a reader does', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    expect(namesIn((await reader.get('/console/domains')).text)).toEqual(NAMES);
    expect((await reader.get('/console/domains.csv')).status).toBe(200);
  });

  test('success: another registrar sees its own', async () => {
    const other = await loggedIn(registry.url, 'beta');
    expect(namesIn((await other.get('/console/domains')).text)).toEqual(['meri.ee']);
    expect(namesIn((await other.get(`/console/domains?contact=${mari.code}`)).text)).toEqual([]);
    expect(namesIn((await other.get('/console/domains?nameserver=ns1.example.net')).text)).toEqual([]);
    expect(namesIn((await other.get('/console/domains?registrant=mari&sort=expire_time')).text)).toEqual([
      'meri.ee',
    ]);
  });

  test('failure: a person with the accounting role only', async () => {
    const { rows } = registry.sql;
    await rows(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'beta@sandbox.example')`,
    );
    const accountant = await loggedIn(registry.url, 'beta');
    for (const path of ['/console/domains', '/console/domains.csv'])
      expect((await accountant.get(path)).status).toBe(403);
    expect((await accountant.get('/console')).text).not.toContain('/console/domains');
    await rows(
      sql`update memberships set roles = '{admin}' where person_id = (select id from people where email_key = 'beta@sandbox.example')`,
    );
  });
});
