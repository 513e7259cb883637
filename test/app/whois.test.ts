import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { cadastre, startServe, startServeProcess } from '../support/cadastre.ts';
import { Client } from '../support/client.ts';
import { hosts, KEY, Registrant } from '../support/domains.ts';
import { freePort } from '../support/free-port.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';
import { askWhois, findWhois, whoisPortOf, whoisProgram } from '../support/whois.ts';

const unpacked = findWhois();
const [reason, isMissing] = 'reason' in unpacked ? [` (${unpacked.reason})`, true] : ['', false];

const PERSON = {
  name: 'Salajane Inimene',
  email: 'salajane@example.net',
  phone: '+372.5559876',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
};
const ORGANISATION = {
  name: 'Aiand OÜ',
  email: 'info@aiand.example',
  phone: '+372.6001122',
  ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
};

let registry: TestRegistry;
let alpha: Client;
let port: number;
beforeAll(async () => {
  registry = await startFreshRegistry({ whoisPort: 0 });
  alpha = new Client(registry.url, 'alpha:alpha-sandbox-password');
  port = await whoisPortOf(registry.url);
});
afterAll(() => registry.stop());

const ask = (query: string) => askWhois(port, `${query}\r\n`);

describe('WHOIS of the sandbox', () => {
  test('success: a domain of a person is found as soon as it is registered, without personal data', async () => {
    const { code } = await Registrant.of(alpha, PERSON);
    const registrant = new Registrant(alpha, code);
    expect(await ask('õunapuu.ee')).toContain('\r\n\r\nDomain not found\r\n');
    await registrant.register({
      name: 'õunapuu.ee',
      nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
      dnskeys_attributes: [KEY],
    });
    const answer = await ask('õunapuu.ee');
    expect(answer).toMatch(
      /^name: {11}õunapuu\.ee\r\nascii name: {5}xn--unapuu-oxa\.ee\r\nstatus: {9}ok\r$/m,
    );
    expect(answer).toMatch(/^registered: {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0[23]:00\r$/m);
    expect(answer).toContain('Registrant:\r\nname:           Private person\r\n');
    expect(answer).toContain('nserver:        ns1.example.net\r\n');
    expect(answer).toContain(`dnskey:         257 3 13 ${KEY.public_key}\r\n`);
    expect(answer).toContain('name:           Alpha Registrar\r\n');
    for (const hidden of ['Salajane', 'salajane', '5559876', '60001019906', code])
      expect(answer).not.toContain(hidden);
    for (const other of ['XN--UNAPUU-OXA.EE', 'ÕUNAPUU.EE', ' õunapuu.ee. '])
      expect(await ask(other)).toBe(answer);
  });

  test('success: an organisation is shown', async () => {
    const name = await (await Registrant.of(alpha, ORGANISATION)).register();
    expect(await ask(name)).toMatch(
      /Registrant:\r\nname: {11}Aiand OÜ\r\nregistry code: {2}12345678\r\ncountry: {8}EE\r\n/,
    );
  });

  test('failure: blocked, reserved, a zone, malformed, not in UTF-8, too long', async () => {
    expect(await ask('blocked.ee')).toContain('\r\n\r\nDomain not available');
    expect(await ask('reserved.ee')).toBe(await ask('vaba.ee'));
    expect(await ask('com.ee')).toContain('Policy error: this is a zone');
    for (const query of ['', 'eesti.fi', 'a.b.c.ee', '-x.ee', '\u0000', '?', 'xn--zzzzzz.ee', '<script>.ee'])
      expect(await ask(query), query).toMatch(/\r\n\r\nPolicy error: no domain [^<?]*\r\n$/);
    const latin1 = Buffer.from('õun.ee\r\n', 'latin1');
    expect(await askWhois(port, latin1)).toBe('Error: the query is not in UTF-8.\r\n');
    expect(await ask('x'.repeat(1_100))).toBe('Error: the query is too long.\r\n');
  });

  test.skipIf(isMissing)(`success: the client of Debian${reason}`, async () => {
    const name = await (await Registrant.of(alpha, ORGANISATION)).register({ name: 'jõhvikas.ee' });
    const [program, ...args] = whoisProgram('root' in unpacked ? unpacked.root : '');
    const whois = async (query: string) =>
      (
        await promisify(execFile)(program, [...args, '-h', '127.0.0.1', '-p', String(port), query], {
          env: { LC_ALL: 'C.UTF-8' },
        })
      ).stdout;
    const answer = (await ask(name)).replaceAll('\r', '');
    for (const query of [name, 'xn--jhvikas-10a.ee', 'JÕHVIKAS.EE'])
      expect((await whois(query)).replaceAll('\r', ''), query).toBe(answer);
    expect(await whois('puudub.ee')).toContain('Domain not found');
  });

  test('success: queries are counted and logged, without names', async () => {
    await ask('logimata.ee');
    const text = await (await fetch(registry.metricsUrl)).text();
    expect(text).toMatch(/cadastre_whois_query_seconds_count\{result="unregistered"\} \d/);
    expect(text).toMatch(/cadastre_whois_connections_ended_total\{reason="answered"\} \d/);
    expect(registry.logged()).toMatch(/"address":"127\.0\.0\.1","result":"unregistered".*"WHOIS query"/);
    expect(registry.logged()).not.toContain('logimata');
  });

  test('failure: more queries than the limit, which RDAP and the page share; a port that is taken; off', async () => {
    const limited = await freshRegistryForThisTest({ whoisPort: 0, lookupsPerMinute: 2 });
    const limitedPort = await whoisPortOf(limited.url);
    for (let index = 0; index < 2; index++)
      expect(await askWhois(limitedPort, 'vaba.ee\n')).toContain('Domain not found');
    expect(await askWhois(limitedPort, 'vaba.ee\n')).toMatch(/^Error: too many queries\. Try again in \d+ s/);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const whoisPort = (taken.address() as AddressInfo).port;
    await expect(freshRegistryForThisTest({ whoisPort })).rejects.toThrow('Set WHOIS_PORT to another one');
    const closed = await freshRegistryForThisTest();
    expect(await (await fetch(`${closed.url}/sandbox`)).json()).not.toHaveProperty('whois');
  });
});

describe('WHOIS of serve', () => {
  test('success: during maintenance too; with an unavailable or older database it says so', async () => {
    const { url, sql: db } = await seededProduction();
    const whoisPort = await freePort();
    const server = await startServe(url, { WHOIS_PORT: String(whoisPort) }, ['--doors', 'whois']);
    onTestFinished(() => server.stop());
    expect((await fetch(`${server.url}/registry/v1/contacts`)).status).toBe(404);
    // Registrars do not log in here.
    expect(server.output()).not.toContain('CERTIFICATES');
    await cadastre(['maintenance', 'on'], { env: { DATABASE_URL: url } });
    expect(await askWhois(whoisPort, 'vaba.ee\r\n')).toContain('Domain not found');
    await db.run(sql`alter table registrars rename column abuse_email to missing`);
    expect(await askWhois(whoisPort, 'vaba.ee\r\n')).toBe(
      'Error: the registry cannot answer now. Try again later.\r\n',
    );
  });

  test('failure: among the doors without a port', async () => {
    const { url } = await seededProduction();
    const { code, stderr } = await cadastre(['serve', '--doors', 'whois'], { env: { DATABASE_URL: url } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('WHOIS_PORT must be set')]);
  });

  test.runIf(process.platform !== 'darwin' && process.env.TORTURE)(
    'success: several processes share the port and the limit',
    async () => {
      const { url } = await seededProduction();
      const whoisPort = await freePort();
      const settings = { WHOIS_PORT: String(whoisPort), LOOKUPS_PER_MINUTE: '40' };
      const server = await startServeProcess(url, settings, ['--processes', '2']);
      onTestFinished(async () => void (await server.stop()));
      await expect.poll(() => server.output().match(/"msg":"started"/g)?.length, NOTICED).toBe(2);
      for (let index = 0; index < 40; index++) await askWhois(whoisPort, 'vaba.ee\r\n');
      await expect.poll(() => askWhois(whoisPort, 'vaba.ee\r\n'), NOTICED).toContain('too many');
      const processes = () =>
        Array.from(server.output().matchAll(/"process":(\d).*"WHOIS query"/g), ([, number]) => number);
      await expect.poll(() => new Set(processes()), NOTICED).toEqual(new Set(['1', '2']));
    },
  );
});
