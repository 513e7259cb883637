import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, type Client } from '../../../support/client.ts';
import { freshName, hosts, KEY, Registrant } from '../../../support/domains.ts';
import { headingOf } from '../../../support/lookup.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';
import { NOTICED } from '../../../support/waiting.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

type Asked = { readonly lang?: string; readonly url?: string; readonly headers?: Record<string, string> };
const get = (path: string, { url = registry.url, headers = {} }: Asked = {}) =>
  fetch(url + path, { headers });
const lookUp = async (name: string, { lang = 'en', ...asked }: Asked = {}) => {
  const reply = await get(`/lookup?${new URLSearchParams({ name, lang })}`, asked);
  const page = await reply.text();
  return { status: reply.status, headers: reply.headers, page, heading: headingOf(page) };
};
const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };

describe('looking up a domain', () => {
  test('success: without a name there is a search box, in the language of the reader', async () => {
    const page = await (await get('/lookup', { headers: { 'accept-language': 'en' } })).text();
    expect([headingOf(page), page.includes('role="search"')]).toEqual(['Look up a domain', true]);
    expect(headingOf(await (await get('/lookup')).text())).toBe('Domeeniotsing');
    expect((await fetch(`${registry.url}/lookup`, { method: 'HEAD' })).status).toBe(200);
    expect(headingOf(await (await get('/lookup?name=a.ee&name=b.ee&lang=en')).text())).toBe(
      'Look up a domain',
    );
  });

  test('success: dates, statuses, registrar, nameservers and keys, in any spelling of the name', async () => {
    await registry.sql.run(sql`
      update registrars set phone = '+372.5551234', abuse_email = 'abuse@alpha.example', abuse_phone = '+372.5554321' where code = 'ALPHA'`);
    const name = await (await Registrant.of(client)).register({
      name: `õun-${freshName()}`,
      nameservers_attributes: hosts('ns1.example.com', 'ns2.example.com'),
      dnskeys_attributes: [KEY],
    });
    const { status, page, heading, headers } = await lookUp(` ${name.toUpperCase()} `);
    expect([status, heading]).toEqual([200, name]);
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    for (const text of [
      '<code>xn--un-',
      'The domain is registered and in the zone.',
      '<code>ok</code>',
      'Registered',
      'Paid until',
      '<a href="https://alpha.example">',
      '<a href="tel:+3725551234">',
      '<a href="mailto:abuse@alpha.example">',
      'tel:+3725554321',
      'ns1.example.com',
      'ns2.example.com',
      'Key tag',
      'Private person, not shown',
    ])
      expect(page).toContain(text);
    await registry.sql.run(sql`update domains set statuses = '{"clientHold": ""}' where name = ${name}`);
    const held = (await lookUp(name)).page;
    expect([held.includes('Key tag'), held.includes('keys are given, but not published')]).toEqual([
      false,
      true,
    ]);
    await registry.sql.run(sql`update domains set statuses = '{}' where name = ${name}`);
    expect(page).toContain(
      `/lookup/contact?${new URLSearchParams({ name, lang: 'en' })}`.replaceAll('&', '&amp;'),
    );
    const switched = `?${new URLSearchParams({ name, lang: 'et' })}`.replaceAll('&', '&amp;');
    expect(page).toContain(`<a href="${switched}"`);
    expect((await lookUp(name, { lang: 'et' })).page).toContain('Eraisik, andmeid ei avaldata');
  });

  test('success: nothing of a person is shown; name and code of an organisation are, escaped', async () => {
    const email = `mari-${freshName()}`.replace('.ee', '@example.ee');
    const person = await (await Registrant.of(client, { email })).register();
    const { page } = await lookUp(person);
    for (const hidden of ['Mari', 'Maasikas', email, '5551234567', '60001019906'])
      expect(page).not.toContain(hidden);
    const name = `O'Neil & "Sons"`;
    const organisation = await (await Registrant.of(client, { name, email, ident: ORGANISATION })).register();
    const shown = (await lookUp(organisation)).page;
    expect(shown).toContain('O&#39;Neil &amp; &quot;Sons&quot;');
    expect(shown).toContain('12345678');
    expect(shown).not.toContain(email);
  });

  test('success: a disclosed address is shown instead of the form', async () => {
    const mari = await Registrant.of(client, { email: 'disclosed@example.ee' });
    const name = await mari.register();
    await registry.sql.run(
      sql`update contacts set disclosed_attributes = array['email', 'name'] where code = ${mari.code}`,
    );
    const { page } = await lookUp(name);
    expect(page).toContain('<a href="mailto:disclosed@example.ee">');
    expect(page).not.toContain('/lookup/contact');
  });

  test('success: the next steps for an expired, a held and a deleted domain', async () => {
    const mari = await Registrant.of(client);
    const domainWith = async (changes: object) => {
      const name = await mari.register();
      const values = { statuses: {}, outzone: null, deletion: null, ...changes } as Record<string, unknown>;
      await registry.sql.run(sql`
        update domains set statuses = ${JSON.stringify(values.statuses)}::jsonb, outzone_at = ${values.outzone as string | null}::timestamptz,
          delete_date = ${values.deletion as string | null}::date where name = ${name}`);
      return (await lookUp(name)).page;
    };
    const dates = { outzone: '2030-05-01T00:00:00+03', deletion: '2030-05-31' };
    expect(await domainWith({ statuses: { expired: '' }, ...dates })).toContain(
      'It stops working on 1 May 2030 and is deleted on 31 May 2030, unless it is renewed. If it is yours, ask your registrar to renew it.',
    );
    const released = await domainWith({ statuses: { expired: '', serverReleaseProhibited: '' }, ...dates });
    expect([released.includes('1 May 2030'), released.includes('31 May 2030')]).toEqual([true, false]);
    expect(await domainWith({ statuses: { expired: '', serverRenewProhibited: '' }, ...dates })).toContain(
      'It stops working on 1 May 2030 and is deleted on 31 May 2030. Its renewal is locked',
    );
    expect(await domainWith({ statuses: { clientHold: 'a secret note' } })).toMatch(
      /The domain is on hold\..*Why is this domain on hold by its registrar\?/s,
    );
    expect(await domainWith({ statuses: { clientHold: 'a secret note' } })).not.toContain('secret note');
    expect(await domainWith({ statuses: { pendingDelete: '' }, ...dates })).toContain(
      'is removed for good on 31 May 2030',
    );
  });
});

describe('names that are not registered', () => {
  test('success: a free name and a reserved one get the same answer', async () => {
    const [free, reserved] = ['freenome.ee', 'reserved.ee'];
    for (const lang of ['en', 'et']) {
      const answers = await Promise.all([free, reserved].map((name) => lookUp(name, { lang })));
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      const [one, other] = answers.map(({ page }) => page);
      expect(other?.replaceAll(reserved, free)).toBe(one);
    }
    expect((await lookUp(reserved)).page).toContain('It can be registered with an accredited registrar.');
  });

  test.each([
    ['blocked.ee', 404, 'blocked.ee is not available'],
    ['com.ee', 200, 'com.ee is a zone of this registry'],
    ['EE', 200, 'ee is a zone of this registry'],
    ['a_b.ee', 400, 'There can be no domain of this name here'],
    ['<script>alert(1)</script>', 400, 'There can be no domain of this name here'],
    ['x'.repeat(2_000), 400, 'There can be no domain of this name here'],
    ['example.com', 400, 'There can be no domain of this name here'],
  ])('success: %s is answered with %i: %s', async (name, status, heading) => {
    const answer = await lookUp(name);
    expect([answer.status, answer.heading]).toEqual([status, heading]);
    expect(answer.page).not.toContain('<script');
  });

  test('success: a pasted URL leads to the domain', async () => {
    for (const asked of ['https://www.maasikas.ee/pood', 'www.maasikas.ee', 'Maasikas']) {
      const { heading, page, status } = await lookUp(asked);
      expect([status, heading]).toEqual([400, 'Did you mean maasikas.ee?']);
      expect(page).toContain('<a class="go" href="/lookup?name=maasikas.ee&amp;lang=en">');
      expect(page).not.toContain('can be no domain');
    }
  });

  test('failure: an unknown path says so', async () => {
    for (const path of ['/lookup/nothing', '/lookup/message', '/lookup/contact/more']) {
      const reply = await get(`${path}?lang=en`);
      expect([reply.status, headingOf(await reply.text())]).toEqual([404, 'There is nothing here']);
    }
  });
});

test.each([
  ['/lookup', 'GET, HEAD'],
  ['/lookup/?name=a.ee', 'GET, HEAD'],
  ['/lookup/registrars', 'GET, HEAD'],
  ['/lookup/contact/sent', 'GET, HEAD'],
  ['/lookup/contact?name=a.ee', 'GET, HEAD, POST'],
  ['/lookup/message/abc', 'GET, HEAD, POST'],
])('failure: %s answers other methods than %s with 405', async (path, allowed) => {
  const others = ['PUT', 'DELETE', 'QUERY', 'OPTIONS', ...(allowed.includes('POST') ? [] : ['POST'])];
  for (const method of others) {
    const reply = await fetch(registry.url + path, { method, body: method === 'OPTIONS' ? null : '{}' });
    expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allowed]);
  }
});

describe('the accredited registrars', () => {
  test('success: those that are not suspended, by name, and by a part of the name in any case', async () => {
    const own = await freshRegistryForThisTest();
    await own.sql.run(sql`update registrars set suspended_at = now() where code = 'POOR'`);
    const list = async (search: string) =>
      (await get(`/lookup/registrars?${new URLSearchParams({ search, lang: 'en' })}`, own)).text();
    const names = (page: string) => [...page.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name);
    expect(names(await list(''))).toEqual(['Alpha Registrar', 'Beta Registrar']);
    expect(names(await list(' BETA'))).toEqual(['Beta Registrar']);
    expect(await list('<nobody>')).toContain('No accredited registrar has “&lt;nobody&gt;” in its name.');
    expect(await list('beta')).toContain('<a href="https://beta.example">');
    await own.sql.run(sql`update registrars set website = 'javascript:alert(1)' where code = 'BETA'`);
    expect(await list('beta')).not.toContain('href="javascript');
  });
});

describe('limits and failures', () => {
  test('failure: an address over its rate limit has to wait, others need not', async () => {
    const own = await freshRegistryForThisTest({ lookupsPerMinute: 3, trustedProxies: ['127.0.0.0/8'] });
    const ask = (address: string) =>
      get('/lookup?name=maasikas.ee&lang=en', { url: own.url, headers: { 'x-forwarded-for': address } });
    for (let turn = 0; turn < 3; turn++) expect((await ask('192.0.2.1')).status).toBe(404);
    const refused = await ask('192.0.2.1');
    expect([refused.status, headingOf(await refused.text())]).toEqual([429, 'Too many look-ups']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('192.0.2.2')).status).toBe(404);
  });

  test('success: look-ups work during maintenance; messages are refused until its end', async () => {
    const own = await freshRegistryForThisTest();
    const name = await (await Registrant.of(alpha(own.url))).register();
    await own.sql.run(sql`update installation set maintenance_since = now()`);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const post = () => fetch(`${own.url}/lookup/contact?name=${name}&lang=en`, { method: 'POST', headers });
    await expect.poll(async () => (await post()).status, NOTICED).toBe(503);
    expect((await lookUp(name, own)).status).toBe(200);
  });

  test('failure: a page says so while the database is unavailable', async () => {
    const own = await freshRegistryForThisTest();
    await registry.sql.script(`alter database ${own.databaseName} allow_connections false`);
    await registry.sql.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${own.databaseName}`,
    );
    const { status, headers, heading } = await lookUp('maasikas.ee', own);
    expect([status, heading, headers.get('retry-after')]).toEqual([
      503,
      'The registry cannot be reached at the moment',
      '60',
    ]);
    await registry.sql.script(`alter database ${own.databaseName} allow_connections true`);
    await expect.poll(async () => (await lookUp('maasikas.ee', own)).status, { timeout: 30_000 }).toBe(404);
  });
});
