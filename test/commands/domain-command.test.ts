import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, type Client } from '../support/client.ts';
import { hosts, outcome, Registrant } from '../support/domains.ts';
import { moveClock, statusesOf, takeMessages, takeMessageTypes } from '../support/life.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
const run = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const nameservers_attributes = hosts('ns1.hoster.example', 'ns2.hoster.example');
const erase = (name: string) => client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } });

beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(async () => {
  expect(registry.logged()).not.toContain('job failed');
  await registry.stop();
});

describe('cadastre domain list and show, contact show', () => {
  test('success: a domain with its contacts, servers and dates, and never its transfer code', async () => {
    const name = await mari.register({ nameservers_attributes });
    const { transfer_code, expire_time } = (await client.get(`/domains/${name}`)).body.data.domain;
    await run('domain', 'set-status', name, 'serverHold');
    const shown = await run('domain', 'show', name);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^registrar +ALPHA$/m);
    expect(shown.stdout).toMatch(/^nameservers +ns1\.hoster\.example, ns2\.hoster\.example$/m);
    expect(shown.stdout).not.toContain(transfer_code);
    const expireTime = new Date(expire_time).toISOString();
    expect(JSON.parse((await run('domain', 'show', name, '--json')).stdout)).toMatchObject({
      name,
      registrant: mari.code,
      statuses: ['serverHold'],
      expireTime,
      disputed: false,
    });
    const listed = JSON.parse(
      (await run('domain', 'list', '--registrar', 'ALPHA', '--status', 'serverHold', '--json')).stdout,
    );
    expect(listed).toEqual([
      { name, registrar: 'ALPHA', registrant: mari.code, statuses: ['serverHold'], expireTime },
    ]);
    expect(await run('domain', 'list', '--expires-before', '2020-01-01')).toMatchObject({
      stdout: '(none)\n',
    });
    const contact = JSON.parse((await run('contact', 'show', mari.code.toLowerCase(), '--json')).stdout);
    expect(contact).toMatchObject({ code: mari.code, registrar: 'ALPHA' });
    expect(contact.domains).toContain(`${name} (registrant)`);
    expect(contact).not.toHaveProperty('auth_info');
  });

  test.each([
    ['a free name', ['domain', 'show', 'vaba.ee'], 1, /^vaba\.ee is not registered\.\n$/],
    ['no name', ['domain', 'show', 'vaba.com'], 1, /^vaba\.com is no name of our zones\.\n$/],
    ['nobody', ['contact', 'show', 'ALPHA:none'], 1, /^There is no contact ALPHA:none\.\n$/],
    ['no status', ['domain', 'list', '--status', 'lost'], 2, /^error: .*serverHold/],
    ['no cause', ['domain', 'list', '--held-by', 'chance'], 2, /^error: .*expiry, registry/],
    ['no day', ['domain', 'list', '--expires-before', 'soon'], 1, /^--expires-before is a day/],
  ])('failure: %s', async (_what, args, code, sentence) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });
});

describe('cadastre domain restore', () => {
  test('success: a deleted domain is as before', async () => {
    const name = await mari.register({ nameservers_attributes });
    await erase(name);
    await takeMessages(client);
    expect(await run('domain', 'restore', name, '--reason', 'deleted by mistake')).toMatchObject({
      code: 0,
      stdout: `${name} is restored.\n`,
    });
    expect((await client.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      statuses: { ok: '' },
      outzone_at: null,
      delete_date: null,
    });
    expect(await takeMessageTypes(client)).toEqual(['restored']);
  });

  test('success: an expired deleteCandidate is restored, and gets its days again', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P3M1D' });
    await registry.sql.run(sql`
      update domains set statuses = statuses || '{"deleteCandidate": "", "serverHold": ""}', hold_causes = '["expiry"]', outzone_at = updated_at, purge_at = '2200-01-01' where name = ${name}`);
    await run('domain', 'restore', name);
    expect(await statusesOf(client, name)).toEqual(['expired', 'inactive']);
    await moveClock(registry, { advance: 'P16D' });
    expect(await statusesOf(client, name)).toEqual(['expired', 'inactive', 'serverHold']);
  });

  test('success: a deleteCandidate under force delete is restored, and the force delete ends', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes, period: 2 });
    await run('force-delete', 'set', name, '--type', 'fast-track', '--reason', 'x');
    await moveClock(registry, { advance: 'P45D' });
    await registry.sql.run(sql`
      update domains set statuses = statuses || '{"deleteCandidate": ""}', purge_at = '2200-01-01' where name = ${name}`);
    await moveClock(registry, { advance: 'P1D' });
    await takeMessages(client);
    expect(await run('domain', 'restore', name)).toMatchObject({ code: 0 });
    expect(await takeMessageTypes(client)).toEqual(['restored', 'force_delete_lifted']);
    await moveClock(registry, { advance: 'P3D' });
    expect((await client.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      statuses: { ok: '' },
      force_delete_date: null,
    });
    expect((await run('history', name)).stdout).toMatch(/restore, by operator[\s\S]*force_delete: /);
  });

  test('success: a deletion under force delete is cancelled, the force delete stays', async () => {
    const name = await mari.register({ nameservers_attributes, period: 2 });
    await run('force-delete', 'set', name, '--type', 'fast-track', '--reason', 'x');
    await erase(name);
    await takeMessages(client);
    expect(await run('domain', 'restore', name)).toMatchObject({ code: 0 });
    expect(await takeMessageTypes(client)).toEqual(['restored']);
    expect(await statusesOf(client, name)).toEqual([
      'serverForceDelete',
      'serverRenewProhibited',
      'serverTransferProhibited',
    ]);
  });

  test('failure: a domain that is not being deleted', async () => {
    const name = await mari.register();
    expect(await run('domain', 'restore', name)).toMatchObject({
      code: 1,
      stderr: `${name} is not on its way out.\n`,
    });
  });
});

describe('cadastre domain set-status, cancel-status', () => {
  test('success: set with a note, shown with it, notified, and removed', async () => {
    const name = await mari.register({ nameservers_attributes });
    await takeMessages(client);
    await run('domain', 'set-status', name, 'serverHold', '--note', 'court order');
    expect((await client.get(`/domains/${name}`)).body.data.domain.statuses).toEqual({
      serverHold: 'court order',
    });
    expect(await run('domain', 'cancel-status', name, 'serverHold')).toMatchObject({ code: 0 });
    expect(await statusesOf(client, name)).toEqual(['ok']);
    expect((await takeMessages(client)).map(({ text }) => text)).toEqual([
      `serverHold set on domain ${name} by the registry`,
      `serverHold is cancelled on domain ${name} by the registry`,
    ]);
  });

  test('success: the hold of the registry is shown with its cause, and survives a renewal', async () => {
    const name = await mari.register({ nameservers_attributes });
    expect(JSON.parse((await run('domain', 'show', name, '--json')).stdout).holds).toEqual([]);
    await run('domain', 'set-status', name, 'serverHold');
    expect((await run('domain', 'show', name)).stdout).toMatch(/^holds +registry since 20\d\d-\d\d-\d\d /m);
    const exp_date = (await client.get(`/domains/${name}`)).body.data.domain.expire_time.slice(0, 10);
    const renews = { period: 1, period_unit: 'y', exp_date };
    expect(outcome(await client.post(`/domains/${name}/renew`, { renews }))).toEqual([200, 1000]);
    expect((await client.get(`/domains/${name}`)).body.data.domain.statuses).toEqual({ serverHold: '' });
    expect((await run('history', name)).stdout).toContain('hold_causes: - → ["registry"]');
    const names = async (cause: string) => (await run('domain', 'list', '--held-by', cause)).stdout;
    expect([await names('registry'), await names('expiry')]).toEqual([
      expect.stringContaining(name),
      expect.not.stringContaining(name),
    ]);
    expect((await run('doctor')).stdout).toMatch(/holds: domains with serverHold: .*\d+ by the registry/);
  });

  test('success: a deletion under the hold of the registry keeps serverHold when that is cancelled', async () => {
    const name = await mari.register({ nameservers_attributes });
    await run('domain', 'set-status', name, 'serverHold', '--note', 'court order');
    await erase(name);
    const kept = `${name} has serverHold by its expiry or deletion, which a renewal ends; serverManualInzone keeps it in the zone.\n`;
    expect(await run('domain', 'cancel-status', name, 'serverHold')).toMatchObject({ code: 0, stdout: kept });
    expect((await client.get(`/domains/${name}`)).body.data.domain.statuses).toEqual({
      pendingDelete: '',
      serverHold: '',
    });
    expect(await run('domain', 'cancel-status', name, 'serverHold')).toMatchObject({ code: 1, stderr: kept });
    expect(await run('domain', 'set-status', name, 'serverManualInzone')).toMatchObject({ code: 0 });
    expect(await statusesOf(client, name)).toEqual(['pendingDelete', 'serverManualInzone']);
  });

  test('success: set again with the same note, nobody is notified; with another one, the sponsor is', async () => {
    const name = await mari.register({ nameservers_attributes });
    await run('domain', 'set-status', name, 'serverHold', '--note', 'court order');
    await takeMessages(client);
    expect(await run('domain', 'set-status', name, 'serverHold', '--note', 'court order')).toMatchObject({
      code: 0,
      stdout: `${name} has serverHold.\n`,
    });
    expect(await takeMessageTypes(client)).toEqual([]);
    await run('domain', 'set-status', name, 'serverHold', '--note', 'another court order');
    expect(await takeMessageTypes(client)).toEqual(['status_set']);
  });

  test('failure: conflicting statuses, absent ones, and those that a command cannot set', async () => {
    const name = await mari.register({ nameservers_attributes });
    await client.put(`/domains/${name}/statuses/clientHold`);
    expect(await run('domain', 'set-status', name, 'serverManualInzone')).toMatchObject({ code: 1 });
    expect(await run('domain', 'cancel-status', name, 'serverHold')).toMatchObject({ code: 1 });
    expect(await run('domain', 'set-status', name, 'clientHold')).toMatchObject({ code: 2 });
    expect(await run('domain', 'set-status', name, 'serverForceDelete')).toMatchObject({ code: 2 });
    expect(await statusesOf(client, name)).toEqual(['clientHold']);
  });
});

describe('cadastre dispute', () => {
  test('success: a registered name is frozen until the dispute is closed', async () => {
    const name = await mari.register({ nameservers_attributes });
    await takeMessages(client);
    const opened = await run('dispute', 'open', name, '--reason', 'a trade mark');
    expect(opened.stdout).toMatch(
      new RegExp(`^${name} is disputed until 20\\d\\d-.*\\. Its code: [0-9a-f]{32}\\n$`),
    );
    expect((await client.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      dispute: true,
      statuses: { disputed: '' },
    });
    expect(outcome(await erase(name))).toEqual([400, 2304]);
    const list = (await run('dispute', 'list')).stdout;
    expect(list).toMatch(/^NAME +SINCE +UNTIL\n/);
    const [since, until] = list.match(/\d{4}-\d\d-\d\d \d\d:\d\d/g) ?? [];
    expect(opened.stdout).toContain(`${name} is disputed until ${until}.`);
    const [found] = JSON.parse((await run('dispute', 'list', '--json')).stdout);
    expect([found.name, found.startsAt]).toEqual([name, expect.stringMatching(/Z$/)]);
    const inTallinn = new Date(found.startsAt).toLocaleString('sv', { timeZone: 'Europe/Tallinn' });
    expect(inTallinn.slice(0, 16)).toBe(since);
    expect(await run('dispute', 'open', name)).toMatchObject({
      code: 1,
      stderr: `${name} is disputed already.\n`,
    });
    expect(await run('dispute', 'close', '--yes', name)).toMatchObject({ code: 0 });
    expect(await run('dispute', 'close', '--yes', name)).toMatchObject({
      code: 1,
      stderr: `${name} is not disputed.\n`,
    });
    expect(outcome(await erase(name))).toEqual([200, 1000]);
    expect((await takeMessages(client)).map(({ text }) => text)).toEqual([
      `disputed set on domain ${name} by the registry`,
      `disputed is cancelled on domain ${name} by the registry`,
    ]);
  });

  test('success: a dispute that nobody closes ends automatically, and the sponsor is notified', async () => {
    const name = await mari.register({ nameservers_attributes, period: 2 });
    await run('dispute', 'open', name, '--for', 'P1M');
    await takeMessages(client);
    await moveClock(registry, { advance: 'P27D' });
    expect(await statusesOf(client, name)).toEqual(['disputed']);
    expect(await takeMessageTypes(client)).not.toContain('status_cancelled');
    await moveClock(registry, { advance: 'P5D' });
    expect(await statusesOf(client, name)).toEqual(['ok']);
    const texts = (await takeMessages(client)).map(({ text }) => text);
    expect(texts).toContain(`disputed is cancelled on domain ${name} by the registry`);
    expect(await run('dispute', 'close', '--yes', name)).toMatchObject({ code: 1 });
    expect((await run('history', name)).stdout).toMatch(
      /open dispute, by operator[\s\S]*end dispute, by registry/,
    );
    await moveClock(registry, { advance: 'P5D' });
    expect(await takeMessageTypes(client)).not.toContain('status_cancelled');
  });

  test('success: a free name is registered only with the code, for as long as the dispute lasts', async () => {
    const opened = await run(
      'dispute',
      'open',
      'vaidlus.ee',
      '--code',
      'the-code-of-the-court',
      '--for',
      'P1M',
    );
    expect(opened.code).toBe(0);
    expect(outcome(await mari.try({ name: 'vaidlus.ee' }))).toEqual([400, 2003]);
    expect(outcome(await mari.try({ name: 'vaidlus.ee', reserved_pw: 'the-code-of-the-court' }))).toEqual([
      200, 1000,
    ]);
    await run('dispute', 'open', 'teine.ee', '--for', 'P1M');
    await moveClock(registry, { advance: 'P32D' });
    expect(outcome(await mari.try({ name: 'teine.ee' }))).toEqual([200, 1000]);
    expect(await run('dispute', 'open', 'kolmas.ee', '--for', 'soon')).toMatchObject({ code: 1 });
  });
});

describe('cadastre history', () => {
  test('success: every change of a domain, with actor, reason and cost, and without its secrets', async () => {
    const name = await mari.register({ transfer_code: 'a-secret-of-this-name' });
    await client.put(`/domains/${name}/statuses/clientHold`);
    await run('domain', 'set-status', name, 'serverRenewProhibited', '--reason', 'as the court said');
    const { stdout } = await run('history', name.toUpperCase());
    expect(stdout).toMatch(/create, by user:alpha of ALPHA, charged 9\.00 EUR\n/);
    expect(stdout).toMatch(
      /set clientHold, by user:alpha of ALPHA\n {4}statuses: \{\} → \{"clientHold":""\}/,
    );
    expect(stdout).toMatch(/set serverRenewProhibited, by operator:\w+\n {4}why: as the court said\n/);
    expect(stdout).not.toContain('a-secret-of-this-name');
    const rows = JSON.parse((await run('history', name, '--json')).stdout);
    expect(rows.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create',
      'set clientHold',
      'set serverRenewProhibited',
    ]);
  });

  test('success: of a contact by its code; and of a deleted name', async () => {
    expect((await run('history', mari.code)).stdout).toContain('create, by user:alpha of ALPHA');
    const name = await mari.register();
    await erase(name);
    await moveClock(registry, { advance: 'P33D' });
    expect((await run('history', name)).stdout).toMatch(/release, by registry[\s\S]*purge, by registry/);
  });

  test('failure: no history', async () => {
    expect(await run('history', 'never-registered.ee')).toMatchObject({
      code: 1,
      stderr: 'Nothing has ever happened to never-registered.ee.\n',
    });
  });
});

describe('cadastre contact update', () => {
  test('success: by the registrant, of which its registrar is notified', async () => {
    await takeMessages(client);
    const { code } = await Registrant.of(client);
    const updated = await run('contact', 'update', code, '--email', 'uus@example.ee', '--by-registrant');
    expect(updated).toMatchObject({ code: 0, stdout: `Contact ${code} is updated.\n` });
    expect((await client.get(`/contacts/${code}`)).body.data.contact.email).toBe('uus@example.ee');
    const [message] = await takeMessages(client);
    expect(message).toMatchObject({ type: 'contact_updated', attached_obj_type: 'Contact' });
    await run('contact', 'update', code, '--phone', '+372.5550000');
    expect(await takeMessageTypes(client)).toEqual([]);
    await run('contact', 'update', code, '--email', 'uus@example.ee', '--by-registrant');
    expect(await takeMessageTypes(client)).toEqual([]);
  });

  test('success: what is disclosed, by the registrant or by the registry', async () => {
    await takeMessages(client);
    const { code } = await Registrant.of(client);
    const disclosed = async () =>
      JSON.parse((await run('contact', 'show', code, '--json')).stdout).disclosedAttributes;
    await run('contact', 'update', code, '--disclose', 'phone, email', '--by-registrant');
    expect(await disclosed()).toEqual(['email', 'phone']);
    expect(await takeMessageTypes(client)).toEqual(['contact_updated']);
    expect((await run('contact', 'update', code, '--disclose', 'ident')).stderr).toMatch(
      /name, email, phone, address/,
    );
    await run('contact', 'update', code, '--disclose', 'none');
    expect(await disclosed()).toEqual([]);
    expect((await run('history', code)).stdout).toContain('disclosed_attributes');
  });

  test('failure: nothing to change, an impossible value, an unknown contact', async () => {
    const { code } = await Registrant.of(client);
    expect(await run('contact', 'update', code)).toMatchObject({ code: 1 });
    expect(await run('contact', 'update', code, '--email', 'nowhere')).toMatchObject({ code: 1 });
    expect(await run('contact', 'update', 'NOBODY', '--phone', '+372.5550000')).toMatchObject({
      code: 1,
      stderr: 'There is no contact NOBODY.\n',
    });
  });
});

describe('cadastre registrar low-balance', () => {
  test('success: one message each time the balance falls below, also with concurrent charges', async () => {
    const { balance } = (await client.get('/accounts/balance')).body.data;
    const threshold = (Number(balance) - 15).toFixed(2);
    expect(await run('registrar', 'low-balance', 'ALPHA', threshold)).toMatchObject({ code: 0 });
    await takeMessages(client);
    await mari.register();
    expect(await takeMessageTypes(client)).toEqual([]);
    await Promise.all(Array.from({ length: 6 }, () => mari.register()));
    const [message, ...others] = await takeMessages(client);
    expect(message?.text).toBe(`Your balance has fallen below ${threshold} EUR`);
    expect(others).toEqual([]);
    await run('registrar', 'low-balance', 'ALPHA', 'none');
    await mari.register();
    expect(await takeMessageTypes(client)).toEqual([]);
  });

  test('failure: an invalid amount, an unknown registrar', async () => {
    expect(await run('registrar', 'low-balance', 'ALPHA', '5.001')).toMatchObject({ code: 1 });
    expect(await run('registrar', 'low-balance', 'NOBODY', '5.00')).toMatchObject({ code: 1 });
  });
});
