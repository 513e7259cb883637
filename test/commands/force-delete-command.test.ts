import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, beta, type Client } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { freshName, hosts, outcome, Registrant } from '../support/domains.ts';
import { moveClock, sentMails, statusesOf, takeMessages, takeMessageTypes } from '../support/life.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

/** Ordered by the command, advanced by the clock, read by the registrar. */
let registry: TestRegistry;
let client: Client;
let mari: Registrant;
const run = (...args: string[]) =>
  cadastre(['force-delete', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const three = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'];
const nameservers_attributes = hosts('ns1.hoster.example', 'ns2.hoster.example');
const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;

beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  await moveClock(registry, { set: '2030-07-06T12:00:00+03:00' });
  mari = await Registrant.of(client);
});
afterAll(async () => {
  expect(registry.logged()).not.toContain('job failed');
  await registry.stop();
});

describe('cadastre force-delete', () => {
  test('success: the fast track, day by day', async () => {
    const name = await mari.register({ nameservers_attributes, period: 2 });
    await takeMessages(client);
    const reason = 'the company does not exist any more';
    const ordered = await run('set', name, '--type', 'fast-track', '--reason', reason);
    expect(ordered).toMatchObject({
      code: 0,
      stdout: `${name} is under force delete: it begins on 2030-07-07, the domain goes on 2030-08-21.\n`,
    });
    expect(await statusesOf(client, name)).toEqual(three);
    expect((await read(name)).force_delete_date).toBe('2030-08-21');
    const [message] = await takeMessages(client);
    expect(message).toMatchObject({ type: 'force_delete_set', attached_obj_type: 'Domain' });
    expect(message?.text).toContain(reason);
    expect((await sentMails(registry))[0]).toMatchObject({ to: 'mari@example.ee' });
    expect((await sentMails(registry))[0]?.text).toContain('2030-08-21');

    const { expire_time, transfer_code } = await read(name);
    const renews = { period: 1, period_unit: 'y', exp_date: expire_time.slice(0, 10) };
    expect(outcome(await client.post(`/domains/${name}/renew`, { renews }))).toEqual([400, 2304]);
    const transfer = { transfer_code };
    expect(outcome(await beta(registry.url).post(`/domains/${name}/transfer`, { transfer }))).toEqual([
      400, 2304,
    ]);

    await moveClock(registry, { set: '2030-07-21T23:59:00+03:00' });
    expect(await statusesOf(client, name)).toEqual(three);
    await moveClock(registry, { set: '2030-07-22T00:00:00+03:00' });
    expect(await statusesOf(client, name)).toEqual(['clientHold', ...three]);
    expect(await takeMessageTypes(client)).toEqual(['force_delete_held']);

    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([200, 1000]);
    await moveClock(registry, { set: '2030-08-20T23:59:00+03:00' });
    expect(await statusesOf(client, name)).toEqual(three);
    await moveClock(registry, { set: '2030-08-21T00:00:00+03:00' });
    expect(await statusesOf(client, name)).toEqual(['deleteCandidate', ...three]);
    await moveClock(registry, { set: '2030-08-22T00:00:00+03:00' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
    expect(await takeMessageTypes(client)).toEqual(['delete_candidate', 'deleted']);
  });

  test('success: soft waits for the anniversary of the expiry, and notifies then', async () => {
    await moveClock(registry, { set: '2031-01-10T12:00:00+02:00' });
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes, period: 3 });
    await moveClock(registry, { set: '2031-02-01T12:00:00+02:00' });
    await takeMessages(client);
    const mails = (await sentMails(registry)).length;
    const ordered = await run('set', name, '--type', 'soft', '--reason', 'the e-mail address is invalid');
    expect(ordered.stdout).toBe(
      `${name} is under force delete: it begins on 2032-01-11, the domain goes on 2032-02-25.\n`,
    );
    expect(await takeMessageTypes(client)).toEqual(['force_delete_set']);
    expect(await sentMails(registry)).toHaveLength(mails);
    await moveClock(registry, { set: '2032-01-10T23:59:00+02:00' });
    expect(await takeMessageTypes(client)).not.toContain('force_delete_started');
    await moveClock(registry, { set: '2032-01-11T00:00:00+02:00' });
    expect(await takeMessageTypes(client)).toEqual(['force_delete_started']);
    expect(await sentMails(registry)).toHaveLength(mails + 1);
    await moveClock(registry, { set: '2032-01-26T00:00:00+02:00' });
    expect(await takeMessageTypes(client)).toEqual(['force_delete_held']);
    await moveClock(registry, { set: '2032-02-26T00:00:00+02:00' });
    expect(await takeMessageTypes(client)).toEqual(['delete_candidate', 'deleted']);
  });

  test('success: soft with less than a year left sets no dates; the domain cannot be renewed and expires', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ period: 6, period_unit: 'm' });
    const ordered = await run('set', name, '--type', 'soft', '--reason', 'x');
    expect(ordered.stdout).toBe(
      `${name} is under force delete: it cannot be renewed, and goes after its expiry.\n`,
    );
    expect((await read(name)).force_delete_date).toBeNull();
    await takeMessages(client);
    await moveClock(registry, { advance: 'P6M4D' });
    expect(await statusesOf(client, name)).toEqual(['expired', 'inactive', ...three]);
    const text = (await takeMessages(client)).find(({ type }) => type === 'expired')?.text;
    expect(text).toMatch(/\. It cannot be renewed$/);
    const mail = (await sentMails(registry)).find(({ subject }) => subject.includes(name));
    expect(mail?.text).toContain('The registry has forbidden its renewal');
    await moveClock(registry, { advance: 'P45D' });
    expect(outcome(await client.get(`/domains/${name}`))).toEqual([410, 2303]);
  });

  test('success: a hold set by the registrar is not announced; of two deletion dates the earlier is named', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes, period: 2 });
    await client.put(`/domains/${name}/statuses/clientHold`);
    await client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } });
    const { delete_date } = await read(name);
    const ordered = await run('set', name, '--type', 'fast-track', '--reason', 'x');
    expect(ordered.stdout).toContain(`the domain goes on ${delete_date}.`);
    expect((await takeMessages(client)).at(-1)?.text).toContain(`is deleted on ${delete_date}`);
    expect((await sentMails(registry))[0]?.text).toContain(`is deleted on ${delete_date}`);
    await moveClock(registry, { advance: 'P17D' });
    expect((await takeMessages(client)).at(-1)?.text).toBe(
      `clientHold stays on domain ${name} under its force delete. It is deleted on ${delete_date}`,
    );
  });

  test('success: lifted, the domain is as before and its sponsor is notified', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    await moveClock(registry, { advance: 'P16D' });
    expect(await statusesOf(client, name)).toContain('clientHold');
    await takeMessages(client);
    expect(await run('lift', name, '--reason', 'a mistake')).toMatchObject({
      code: 0,
      stdout: `${name} is not under force delete any more.\n`,
    });
    expect(await read(name)).toMatchObject({ statuses: { ok: '' }, force_delete_date: null });
    expect(await takeMessageTypes(client)).toEqual(['force_delete_lifted']);
    await moveClock(registry, { advance: 'P60D' });
    expect((await client.get(`/domains/${name}`)).status).toBe(200);
  });

  test('success: a new registrant ends it', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    await takeMessages(client);
    const ident = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
    const other = await createContact(client, { name: 'Uus OÜ', ident });
    const domain = { registrant: { code: other, verified: true } };
    expect(outcome(await client.put(`/domains/${name}`, { domain }))).toEqual([200, 1000]);
    expect((await read(name)).statuses).toEqual({ ok: '' });
    expect(await takeMessageTypes(client)).toEqual(['force_delete_lifted']);
  });

  test('success: what is told to registrar and registrant, where it is not what is kept', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    await takeMessages(client);
    const reasons = ['--reason', 'a report of the police', '--for-registrar', 'wrong data'];
    await run('set', name, '--type', 'fast-track', ...reasons);
    const [message] = await takeMessages(client);
    const told = [message?.text, (await sentMails(registry))[0]?.text].join('\n');
    expect(told).toContain('wrong data');
    expect(told).not.toContain('police');
    const [recorded] = await registry.sql.rows(
      sql`select reason, reason_for_registrar as told from history where object_name = ${name} order by id desc limit 1`,
    );
    expect(recorded).toEqual({ reason: 'a report of the police', told: 'wrong data' });
  });

  test('success: statuses set meanwhile by operator and registrar stay, those removed stay removed', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    const status = (verb: string, ...args: string[]) =>
      cadastre(['domain', `${verb}-status`, name, ...args], {
        env: { DATABASE_URL: databaseUrl(registry.databaseName) },
      });
    await status('set', 'serverRenewProhibited', '--note', 'unpaid');
    await client.put(`/domains/${name}/statuses/clientHold`);
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    await status('set', 'serverTransferProhibited', '--note', 'court order');
    await status('cancel', 'serverRenewProhibited');
    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([200, 1000]);
    expect(await status('set', 'serverManualInzone')).toMatchObject({ code: 0 });
    await run('lift', name);
    expect((await read(name)).statuses).toEqual({
      serverTransferProhibited: 'court order',
      serverManualInzone: '',
    });
  });

  test('success: a hold that the registrar sets does not end with the force delete; one that it removed does not return', async () => {
    const registrant = await Registrant.of(client);
    const [own, removed] = [
      await registrant.register({ nameservers_attributes }),
      await registrant.register({ nameservers_attributes }),
    ];
    await client.put(`/domains/${removed}/statuses/clientHold`);
    for (const name of [own, removed]) await run('set', name, '--type', 'fast-track', '--reason', 'x');
    await client.put(`/domains/${own}/statuses/clientHold`);
    await client.delete(`/domains/${removed}/statuses/clientHold`);
    await moveClock(registry, { advance: 'P16D' });
    await client.delete(`/domains/${removed}/statuses/clientHold`);
    const ident = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
    const other = await createContact(client, { name: 'Uus OÜ', ident });
    const domain = { registrant: { code: other, verified: true } };
    await client.put(`/domains/${removed}`, { domain });
    await run('lift', own);
    expect((await read(removed)).statuses).toEqual({ ok: '' });
    expect((await read(own)).statuses).toEqual({ clientHold: '' });
  });

  test('success: a request that the registrant was asked about is withdrawn', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    const ident = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
    const other = await createContact(client, { name: 'Uus OÜ', ident });
    await client.put(`/domains/${name}`, { domain: { registrant: { code: other, verified: false } } });
    expect(await statusesOf(client, name)).toEqual(['pendingUpdate']);
    await takeMessages(client);
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    expect(await takeMessageTypes(client)).toEqual(['force_delete_set', 'request_withdrawn']);
    await moveClock(registry, { advance: 'P3D' });
    expect(await takeMessageTypes(client)).toEqual([]);
  });

  test('success: a deletion that the registrant was asked about is withdrawn too, and its link says so', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes });
    await client.delete(`/domains/${name}`, { domain: { delete: { verified: false } } });
    expect(await statusesOf(client, name)).toEqual(['pendingDeleteConfirmation']);
    const link = (await sentMails(registry)).find(({ subject }) => subject.includes(name))?.links[0] ?? '';
    await takeMessages(client);
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    expect(await takeMessageTypes(client)).toEqual(['force_delete_set', 'request_withdrawn']);
    expect(await statusesOf(client, name)).toEqual(three);
    const decision = new URLSearchParams({ decision: 'confirm' });
    await fetch(link, { method: 'POST', body: decision, redirect: 'manual' });
    expect(await (await fetch(`${link}?lang=en`)).text()).toContain('This request no longer stands.');
    expect(await statusesOf(client, name)).toEqual(three);
    await moveClock(registry, { advance: 'P3D' });
    expect(await takeMessageTypes(client)).toEqual([]);
  });

  test('failure: the same kind again, which would restart its periods; the other kind replaces it', async () => {
    const registrant = await Registrant.of(client);
    const name = await registrant.register({ nameservers_attributes, period: 2 });
    await run('set', name, '--type', 'soft', '--reason', 'x');
    await run('set', name, '--type', 'fast-track', '--reason', 'x');
    const { force_delete_date } = await read(name);
    await takeMessages(client);
    await moveClock(registry, { advance: 'P3D' });
    expect(await run('set', name, '--type', 'fast-track', '--reason', 'y')).toMatchObject({
      code: 1,
      stderr: `${name} is under fast-track force delete already; lift it first to order it again.\n`,
    });
    expect((await read(name)).force_delete_date).toBe(force_delete_date);
    expect(await takeMessageTypes(client)).toEqual([]);
  });

  test('failure: a domain that is not registered, not under force delete, or being deleted', async () => {
    const missing = freshName();
    expect(await run('set', missing, '--type', 'soft', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: `${missing} is not registered.\n`,
    });
    expect(await run('set', 'not a name', '--type', 'soft', '--reason', 'x')).toMatchObject({ code: 1 });
    const registrant = await Registrant.of(client);
    const name = await registrant.register();
    expect(await run('lift', name)).toMatchObject({
      code: 1,
      stderr: `${name} is not under force delete.\n`,
    });
    expect(await run('set', name, '--type', 'soft')).toMatchObject({ code: 2 });
    expect(await run('set', name, '--type', 'hard', '--reason', 'x')).toMatchObject({ code: 2 });
    await registry.sql.run(sql`update domains set statuses = '{"deleteCandidate": ""}' where name = ${name}`);
    expect(await run('set', name, '--type', 'soft', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: `${name} is about to be deleted anyway.\n`,
    });
  });
});
