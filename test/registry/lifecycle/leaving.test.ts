import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, outcome, Registrant } from '../../support/domains.ts';
import { moveClock, sentMails, statusesOf, takeMessages } from '../../support/life.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  await moveClock(registry, { set: '2030-01-10T12:00:00+02:00' });
});
afterAll(async () => {
  expect(registry.logged()).not.toContain('job failed');
  await registry.stop();
});

const nameservers_attributes = hosts('ns1.hoster.example', 'ns2.hoster.example');
const register = async (changes = {}) =>
  (await Registrant.of(client)).register({ nameservers_attributes, ...changes });
const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;
async function renew(name: string) {
  const { expire_time } = await read(name);
  const renews = { period: 1, period_unit: 'y', exp_date: expire_time.slice(0, 10) };
  return client.post(`/domains/${name}/renew`, { renews });
}
/** The messages to the sponsor about one domain. */
const messagesAbout = async (name: string) =>
  (await takeMessages(client)).filter(({ text }) => text.includes(name));
const typesAbout = async (name: string) => (await messagesAbout(name)).map(({ type }) => type);
const mailsAbout = async (name: string) =>
  (await sentMails(registry)).filter(({ subject }) => subject.includes(name));
const erase = (name: string) => client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } });

describe('renewal after expiry', () => {
  test('success: before the outzone, and after it', async () => {
    for (const days of ['P3D', 'P16D', 'P44D']) {
      const name = await register({ period: 3, period_unit: 'm' });
      await moveClock(registry, { advance: 'P3M1D' });
      expect(await statusesOf(client, name)).toEqual(['expired']);
      await moveClock(registry, { advance: days });
      expect(outcome(await renew(name))).toEqual([200, 1000]);
      expect(await read(name)).toMatchObject({ statuses: { ok: '' }, outzone_at: null, delete_date: null });
      await takeMessages(client);
      await moveClock(registry, { advance: 'P60D' });
      expect(await statusesOf(client, name), days).toEqual(['ok']);
      expect(await typesAbout(name)).toEqual([]);
    }
  });

  test('success: a renewed domain that expires again is announced again', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P3M5D' });
    await renew(name);
    await takeMessages(client);
    expect(await mailsAbout(name)).toHaveLength(1);
    await moveClock(registry, { advance: 'P1Y' });
    const [message, ...others] = await messagesAbout(name);
    expect([message?.type, others]).toEqual(['expired', []]);
    expect(message?.text).toMatch(/ is deleted on [\d-]{10}\. A renewal before that keeps it$/);
    expect(await mailsAbout(name)).toHaveLength(2);
    await moveClock(registry, { advance: 'P60D' });
  });

  test('success: a dispute does not renew a domain; its name then needs the code', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P3M1D' });
    await registry.sql.run(sql`
      insert into disputes (name, code, starts_at, expires_at) values (${name}, 'the-code', '2030-01-01', '2040-01-01')`);
    expect(outcome(await erase(name))).toEqual([400, 2304]);
    await moveClock(registry, { advance: 'P60D' });
    expect((await client.get(`/domains/${name}`)).status).toBe(410);
    const mari = await Registrant.of(client);
    expect(outcome(await mari.try({ name }))).toEqual([400, 2003]);
    expect(await mari.register({ name, reserved_pw: 'the-code' })).toBe(name);
  });

  test('failure: a deleteCandidate cannot be renewed', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P3M1D' });
    await registry.sql.run(
      sql`update domains set statuses = statuses || '{"deleteCandidate": ""}' where name = ${name}`,
    );
    expect(outcome(await renew(name))).toEqual([400, 2304]);
  });
});

describe('the reminder', () => {
  test('success: two days after expiry, to the registrant and the admin contacts, once, each address once', async () => {
    const admin = await createContact(client, { email: 'admin@example.ee' });
    const tech = await createContact(client, { email: 'tech@example.ee' });
    const name = await register({
      period: 3,
      period_unit: 'm',
      admin_contacts: [admin],
      tech_contacts: [tech],
    });
    await moveClock(registry, { advance: 'P3M' });
    const { expire_time } = await read(name);
    await moveClock(registry, {
      set: new Date(Date.parse(expire_time) + 2 * 86_400_000 - 1000).toISOString(),
    });
    expect(await mailsAbout(name)).toEqual([]);
    await moveClock(registry, { advance: 'PT1S' });
    const mails = await mailsAbout(name);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['admin@example.ee', 'mari@example.ee']);
    expect(mails[0]?.text).toContain((await read(name)).delete_date);
    await moveClock(registry, { advance: 'P10D' });
    expect(await mailsAbout(name)).toHaveLength(2);
  });
});

describe('a deleted domain', () => {
  test('success: is purged 31 days later; its name is free for everybody, its last sponsor gets 410', async () => {
    const name = await register();
    expect(outcome(await erase(name))).toEqual([200, 1000]);
    expect(await statusesOf(client, name)).toEqual(['pendingDelete', 'serverHold']);
    await takeMessages(client);
    const { delete_date } = await read(name);
    await moveClock(registry, { advance: 'P30D' });
    expect(await statusesOf(client, name)).toEqual(['pendingDelete', 'serverHold']);
    await moveClock(registry, { advance: 'P2D' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
    expect(outcome(await beta(registry.url).get(`/domains/${name}`))).toEqual([404, 2303]);
    expect(delete_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const messages = await messagesAbout(name);
    expect(messages.map(({ type }) => type)).toEqual(['delete_candidate', 'deleted']);
    expect(messages.map(({ attached_obj_id }) => attached_obj_id)).toEqual([null, null]);
    const jaan = await Registrant.of(beta(registry.url));
    expect(outcome(await jaan.try({ name }))).toEqual([200, 1000]);
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([200, 1000]);
  });

  test('success: that expires meanwhile keeps its deletion date', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P2M25D' });
    await erase(name);
    const { delete_date } = await read(name);
    await moveClock(registry, { advance: 'P15D' });
    expect(await read(name)).toMatchObject({ delete_date });
    expect(await statusesOf(client, name)).toEqual(['expired', 'pendingDelete', 'serverHold']);
    await moveClock(registry, { advance: 'P18D' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
  });

  test('success: restored by a renewal it stays', async () => {
    const name = await register();
    await erase(name);
    await moveClock(registry, { advance: 'P20D' });
    expect(outcome(await renew(name))).toEqual([200, 1000]);
    await moveClock(registry, { advance: 'P40D' });
    expect(await statusesOf(client, name)).toEqual(['ok']);
  });
});

describe('a request that is open when the domain is purged', () => {
  test('success: is withdrawn, its sponsor is notified, and its link says so', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await moveClock(registry, { advance: 'P3M30D' });
    const noon = Date.parse(`${(await read(name)).delete_date}T12:00:00Z`);
    await moveClock(registry, { set: new Date(noon - 86_400_000).toISOString() });
    await client.delete(`/domains/${name}`, { domain: { delete: { verified: false } } });
    const link = (await mailsAbout(name))[0]?.links[0] ?? '';
    await takeMessages(client);
    // Postpones its purge until it was checked.
    await registry.sql.run(
      sql`update domains set statuses = statuses || '{"serverReleaseProhibited": ""}' where name = ${name}`,
    );
    await moveClock(registry, { set: new Date(noon).toISOString() });
    expect(await statusesOf(client, name)).toContain('pendingDeleteConfirmation');
    await registry.sql.run(
      sql`update domains set statuses = statuses - 'serverReleaseProhibited' where name = ${name}`,
    );
    await moveClock(registry, { advance: 'PT1S' });
    expect(await statusesOf(client, name)).toEqual(['deleteCandidate', 'expired', 'serverHold']);
    expect(await typesAbout(name)).toEqual(['delete_candidate', 'request_withdrawn']);
    expect(await (await fetch(`${link}?lang=en`)).text()).toContain('This request no longer stands.');
    await moveClock(registry, { advance: 'P3D' });
    expect(await typesAbout(name)).toEqual(['deleted']);
  });
});

describe('statuses that prevent deletion', () => {
  test('success: serverReleaseProhibited, for as long as it is set', async () => {
    const name = await register();
    await registry.sql.run(
      sql`update domains set statuses = '{"serverReleaseProhibited": ""}' where name = ${name}`,
    );
    await erase(name);
    await moveClock(registry, { advance: 'P60D' });
    expect(await statusesOf(client, name)).toEqual([
      'pendingDelete',
      'serverHold',
      'serverReleaseProhibited',
    ]);
    await registry.sql.run(
      sql`update domains set statuses = statuses - 'serverReleaseProhibited' where name = ${name}`,
    );
    await moveClock(registry, { advance: 'P2D' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
  });

  test('success: serverManualInzone keeps it in the zone, but does not prevent deletion', async () => {
    const name = await register({ period: 3, period_unit: 'm' });
    await registry.sql.run(
      sql`update domains set statuses = '{"serverManualInzone": ""}' where name = ${name}`,
    );
    await moveClock(registry, { advance: 'P3M30D' });
    expect(await statusesOf(client, name)).toEqual(['expired', 'serverManualInzone']);
    await moveClock(registry, { advance: 'P20D' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
  });
});

describe('the archive', () => {
  test('success: a contact unused for six months is archived, its registrar is notified', async () => {
    const idle = await createContact(client);
    const used = await Registrant.of(client);
    await used.register({ period: 2 });
    await takeMessages(client);
    await moveClock(registry, { advance: 'P5M28D' });
    expect((await client.get(`/contacts/${idle}`)).status).toBe(200);
    await moveClock(registry, { advance: 'P4D' });
    expect(outcome(await client.get(`/contacts/${idle}`))).toEqual([410, 2303]);
    expect((await client.get(`/contacts/${used.code}`)).status).toBe(200);
    const texts = (await takeMessages(client)).map(({ text }) => text);
    expect(texts).toContain(`Contact ${idle} has been archived: no domain has used it for 6 months`);
  });

  test('success: the months count from the day on which the last domain stopped using it', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register();
    const tech = await createContact(client);
    await client.post(`/domains/${name}/contacts`, { contacts: [{ code: tech, type: 'tech' }] });
    await moveClock(registry, { advance: 'P5M' });
    const removed = await client.delete(`/domains/${name}/contacts`, {
      contacts: [{ code: tech, type: 'tech' }],
    });
    expect(outcome(removed)).toEqual([200, 1000]);
    await moveClock(registry, { advance: 'P5M' });
    expect((await client.get(`/contacts/${tech}`)).status).toBe(200);
    await moveClock(registry, { advance: 'P2M' });
    expect(outcome(await client.get(`/contacts/${tech}`))).toEqual([410, 2303]);
  });

  test('success: a contact of many domains is written once a day', async () => {
    const tech = await createContact(client);
    const contacts = [{ code: tech, type: 'tech' }];
    const domains = await Promise.all([register(), register(), register()]);
    for (const name of domains) await client.post(`/domains/${name}/contacts`, { contacts });
    const stop = async (name: string | undefined) => {
      expect(outcome(await client.delete(`/domains/${name}/contacts`, { contacts }))).toEqual([200, 1000]);
      return registry.sql.one(sql<{ at: Date; version: number }>`
        select last_linked_at as at, version from contacts where code = ${tech}`);
    };
    const first = await stop(domains[0]);
    await moveClock(registry, { advance: 'PT23H' });
    expect(await stop(domains[1])).toEqual(first);
    await moveClock(registry, { advance: 'PT2H' });
    const last = await stop(domains[2]);
    expect(last.version).toBe(first.version + 1);
    expect(last.at.getTime() - first.at.getTime()).toBeGreaterThanOrEqual(25 * 3_600_000);
  });
});
