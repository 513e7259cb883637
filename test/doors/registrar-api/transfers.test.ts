import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, beta, type Client, poor } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { balanceOf, firstFailure, hosts, KEY, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { row } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import {
  codeOf,
  dispute,
  messagesAbout,
  purge,
  take,
  transferInfo,
  wrongCodesFor,
} from '../../support/transfers.ts';

let registry: TestRegistry;
let losing: Client;
let gaining: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  losing = alpha(registry.url);
  gaining = beta(registry.url);
  mari = await Registrant.of(losing);
});
afterAll(() => registry.stop());

const read = async (client: Client, name: string) => (await client.get(`/domains/${name}`)).body.data.domain;
/** A domain of the losing registrar, and its transfer code. */
async function domainWithCode(changes: Record<string, unknown> = {}): Promise<[string, string]> {
  const name = await mari.register(changes);
  return [name, await codeOf(losing, name)];
}

describe('GET /domains/:domain_name/transfer_info', () => {
  const person = (code: string, changes = {}) => ({
    code,
    phone: '+372.5551234',
    email: 'mari@example.ee',
    ident: '60001019906',
    ident_type: 'priv',
    name: 'Mari Maasikas',
    ident_country_code: 'EE',
    city: null,
    street: null,
    zip: null,
    country_code: null,
    statuses: ['ok', 'linked'],
    ...changes,
  });

  test('success: its sponsor sees all contacts without a code', async () => {
    const jaan = await createContact(losing, { name: 'Jaan Tamm', phone: '+372.1' });
    const name = await mari.register({ admin_contacts: [mari.code], tech_contacts: [mari.code, jaan] });
    expect((await transferInfo(losing, name)).body.data).toEqual({
      domain: name,
      registrant: person(mari.code),
      admin_contacts: [person(mari.code)],
      tech_contacts: [person(mari.code), person(jaan, { name: 'Jaan Tamm', phone: '+372.1' })],
    });
  });

  test('success: a stored address is shown', async () => {
    const code = await createContact(losing, { name: 'Jaan Tamm' });
    await registry.sql.run(sql`
      update contacts set street = array['Pikk 1', 'korter 2'], city = 'Tallinn', state = 'Harjumaa', postal_code = '10123', country_code = 'EE'
      where code = ${code}`);
    const name = await mari.register({ tech_contacts: [code] });
    const address = { city: 'Tallinn', street: 'Pikk 1, korter 2', zip: '10123', country_code: 'EE' };
    expect((await transferInfo(losing, name)).body.data).toMatchObject({
      registrant: person(mari.code),
      tech_contacts: [person(code, { name: 'Jaan Tamm', ...address })],
    });
  });

  test('success: another registrar sees the same with the code, and no answer has the code', async () => {
    const [name, code] = await domainWithCode({ tech_contacts: [mari.code] });
    const reply = await transferInfo(gaining, name, code);
    expect(reply.text).toBe((await transferInfo(losing, name)).text);
    expect(reply.text).not.toContain(code);
  });

  test('success: a code with a space inside, in the header and in a transfer', async () => {
    const [name] = await domainWithCode({ transfer_code: 'two words' });
    expect(outcome(await transferInfo(gaining, name, 'two words'))).toEqual([200, 1000]);
    expect(outcome(await transferInfo(gaining, name, 'two  words'))).toEqual([400, 2202]);
    const transfer = { transfer: { transfer_code: 'two words' } };
    expect(outcome(await gaining.post(`/domains/${name}/transfer`, transfer))).toEqual([200, 1000]);
  });

  /** Codes of an earlier time may have letters beyond ASCII. */
  async function domainWithOldCode(code: string): Promise<string> {
    const name = await mari.register();
    await registry.sql.run(sql`update domains set transfer_code = ${code} where name = ${name}`);
    return name;
  }

  test('success: a code with characters beyond ASCII, in UTF-8 and in Latin-1', async () => {
    const name = await domainWithOldCode('õunapuu-äike');
    const inUtf8 = Buffer.from('õunapuu-äike', 'utf8').toString('latin1');
    expect(outcome(await transferInfo(gaining, name, inUtf8))).toEqual([200, 1000]);
    expect(outcome(await transferInfo(gaining, name, 'õunapuu-äike'))).toEqual([200, 1000]);
    expect(outcome(await transferInfo(gaining, name, 'õunapuu-aike'))).toEqual([400, 2202]);
    const far = await domainWithOldCode('šokolaad-ž');
    const other = Buffer.from('šokolaad-ž', 'utf8').toString('latin1');
    expect(outcome(await transferInfo(gaining, far, other))).toEqual([200, 1000]);
  });

  test('success: a domain without contacts; a contact with a status of its own', async () => {
    const registrant = await Registrant.of(losing);
    await registry.sql.run(
      sql`update contacts set statuses = '{"serverUpdateProhibited": null}' where code = ${registrant.code}`,
    );
    const name = await registrant.register();
    expect((await transferInfo(losing, name)).body.data).toEqual({
      domain: name,
      registrant: person(registrant.code, { statuses: ['serverUpdateProhibited', 'linked'] }),
      admin_contacts: [],
      tech_contacts: [],
    });
  });

  test('success: the name in any case, in Unicode and punycode', async () => {
    const name = await mari.register({ name: `${freshCode()}õ.ee` });
    for (const text of [name.toUpperCase(), new URL(`http://${name}`).hostname])
      expect((await transferInfo(losing, text)).body.data.domain).toBe(name);
  });

  test('success: the sponsor needs no code, so a wrong code from the sponsor is not counted', async () => {
    const [name] = await domainWithCode();
    expect(outcome(await transferInfo(losing, name, 'wrong'))).toEqual([200, 1000]);
    expect(await wrongCodesFor(registry.sql, name)).toBe(0);
  });

  test(`failure: ${row('wrong code')} without a code, which is not counted; with an empty or wrong one, which is`, async () => {
    const [name] = await domainWithCode();
    const missing = await transferInfo(gaining, name);
    expect([...firstFailure(missing), missing.body.message]).toEqual([
      400,
      2202,
      'Auth-Code',
      'Invalid authorization information: Auth-Code is missing',
    ]);
    expect(await wrongCodesFor(registry.sql, name)).toBe(0);
    for (const guess of ['', 'wrong'])
      expect(firstFailure(await transferInfo(gaining, name, guess))).toEqual([400, 2202, 'Auth-Code']);
    expect(await wrongCodesFor(registry.sql, name)).toBe(2);
  });

  test(`failure: ${row('too many wrong codes')} also with the right one; the sponsor gets one message and can still read`, async () => {
    const [name, code] = await domainWithCode();
    for (let guess = 1; guess <= 10; guess++)
      expect(outcome(await transferInfo(gaining, name, `guess ${guess}`))).toEqual([400, 2202]);
    for (const sent of ['guess 11', code, undefined]) {
      const reply = await transferInfo(gaining, name, sent);
      expect(outcome(reply)).toEqual([429, 2502]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    expect((await messagesAbout(losing, name)).map(({ type }) => type)).toEqual(['wrong_codes']);
    expect(outcome(await transferInfo(losing, name))).toEqual([200, 1000]);
    await registry.sql.run(sql`update wrong_codes set at = at - interval '1 hour' where name = ${name}`);
    expect(outcome(await transferInfo(gaining, name, code))).toEqual([200, 1000]);
  });

  test('failure: no such domain, an invalid name, a removed one that the registrar had sponsored', async () => {
    const [name, code] = await domainWithCode();
    await purge(registry.sql, name);
    expect(outcome(await transferInfo(losing, name))).toEqual([410, 2303]);
    expect(outcome(await transferInfo(gaining, name, code))).toEqual([404, 2303]);
    for (const unknown of ['nothing-here.ee', 'a.b.c', '%00'])
      expect(outcome(await transferInfo(gaining, unknown, code))).toEqual([404, 2303]);
  });

  test('failure: a billing user', async () => {
    expect(outcome(await transferInfo(alphaBilling(registry.url), await mari.register()))).toEqual([
      403, 2201,
    ]);
  });
});

describe('POST /domains/:domain_name/transfer', () => {
  test('success: another sponsor and another code; everything else about the domain stays', async () => {
    const [name, code] = await domainWithCode({
      nameservers_attributes: [
        { hostname: 'ns1.example.net', ipv4: ['192.0.2.1'] },
        ...hosts('ns2.example.net'),
      ],
      dnskeys_attributes: [KEY],
    });
    const before = await read(losing, name);
    const reply = await take(gaining, name, code);
    expect([reply.body.message, reply.body.data]).toMatchObject([
      'Command completed successfully',
      { domain: { name, type: 'domain_transfer' } },
    ]);
    const after = await read(gaining, name);
    expect(after).toEqual({
      ...before,
      updated_at: after.updated_at,
      registrant: { ...before.registrant, code: expect.stringMatching(/^BETA:[0-9a-f]{8}$/) },
      registrar: { name: 'Beta Registrar', website: 'https://beta.example' },
      transfer_code: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(after.transfer_code).not.toBe(code);
  });

  test('success: it is free of charge, and needs no money at all', async () => {
    const [name, code] = await domainWithCode();
    const clients = [losing, poor(registry.url)];
    const before = await Promise.all(clients.map(balanceOf));
    expect(outcome(await take(poor(registry.url), name, code))).toEqual([200, 1000]);
    expect(await Promise.all(clients.map(balanceOf))).toEqual(before);
  });

  test('success: the gaining registrar can change the domain, the losing one no longer', async () => {
    const [name, code] = await domainWithCode();
    await take(gaining, name, code);
    const nameservers = hosts('ns1.example.net', 'ns2.example.net');
    expect(outcome(await losing.post(`/domains/${name}/nameservers`, { nameservers }))).toEqual([403, 2201]);
    expect(await read(losing, name)).not.toHaveProperty('transfer_code');
    expect(outcome(await gaining.post(`/domains/${name}/nameservers`, { nameservers }))).toEqual([200, 1000]);
    expect((await gaining.get(`/domains?q=${name}`)).body.data.domains).toEqual([name]);
    expect((await losing.get(`/domains?q=${name}`)).body.data.domains).toEqual([]);
  });

  test('success: the old code is invalid, the new one transfers it back', async () => {
    const [name, code] = await domainWithCode();
    await take(gaining, name, code);
    expect(outcome(await take(losing, name, code))).toEqual([400, 2202]);
    expect(outcome(await take(losing, name, await codeOf(gaining, name)))).toEqual([200, 1000]);
    expect((await read(losing, name)).registrar.name).toBe('Alpha Registrar');
  });

  test('success: the name in punycode and capitals; a code that was chosen', async () => {
    const name = await mari.register({ name: `${freshCode()}ž.ee`, transfer_code: 'chosen-by-mari' });
    const reply = await take(gaining, new URL(`http://${name}`).hostname.toUpperCase(), 'chosen-by-mari');
    expect(reply.body.data).toMatchObject({ domain: { name, type: 'domain_transfer' } });
  });

  test.each([['expired']])('success: %s does not prevent it, and stays', async (status) => {
    const [name, code] = await domainWithCode();
    await setStatuses(registry.sql, name, { [status]: 'a note' });
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
    expect((await read(gaining, name)).statuses).toEqual({ [status]: 'a note', inactive: '' });
  });

  test('success: a dispute does not prevent it, and stays', async () => {
    const [name, code] = await domainWithCode();
    await dispute(registry.sql, name);
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
    expect(await read(gaining, name)).toMatchObject({ dispute: true, statuses: { disputed: '' } });
  });

  test('success: history has the transfer, without a code', async () => {
    const [name, code] = await domainWithCode();
    await take(gaining, name, code, { 'x-request-id': `transfer-of-${name}` });
    const rows = await registry.sql.rows(sql<{
      text: string;
      operation: string;
      actor: string;
      requestId: string;
    }>`
      select operation, actor, request_id as "requestId", row_to_json(h)::text as text from history h
      where object_kind = 'domain' and object_name = ${name} order by id`);
    expect(rows.at(-1)).toMatchObject({ operation: 'transfer', requestId: `transfer-of-${name}` });
    const codes = [code, await codeOf(gaining, name)];
    for (const { text } of rows) for (const secret of codes) expect(text).not.toContain(secret);
  });
});

describe('refused transfers', () => {
  const PROHIBITING = ['clientTransferProhibited'];

  test.each(PROHIBITING.map((status) => [status]))('failure: %s, and nothing changes', async (status) => {
    const [name, code] = await domainWithCode();
    await setStatuses(registry.sql, name, { [status]: 'a note' });
    const before = await read(losing, name);
    const reply = await take(gaining, name, code);
    expect([...outcome(reply), reply.body.message]).toEqual([
      400,
      2304,
      `Object status prohibits operation: ${status}`,
    ]);
    expect(await read(losing, name)).toEqual(before);
    expect(await messagesAbout(losing, name)).toEqual([]);
  });

  test('failure: a domain that is about to be deleted', async () => {
    const [name, code] = await domainWithCode();
    await setStatuses(registry.sql, name, { deleteCandidate: '' });
    const reply = await take(gaining, name, code);
    expect([...outcome(reply), reply.body.message]).toEqual([
      400,
      2106,
      'Object is not eligible for transfer',
    ]);
  });

  test('failure: a domain that the registrar already sponsors', async () => {
    const [name, code] = await domainWithCode();
    const reply = await take(losing, name, code);
    expect([...outcome(reply), reply.body.message]).toEqual([
      400,
      2002,
      'Domain already belongs to the querying registrar',
    ]);
    expect(await codeOf(losing, name)).toBe(code);
  });

  test(`failure: ${row('wrong code')} before any other refusal, also from the sponsor`, async () => {
    const [name, code] = await domainWithCode();
    await setStatuses(registry.sql, name, { deleteCandidate: '' });
    for (const client of [gaining, losing])
      expect(firstFailure(await take(client, name, 'wrong'))).toEqual([400, 2202, 'transfer.transfer_code']);
    expect(outcome(await take(losing, name, code))).toEqual([400, 2002]);
    expect(outcome(await take(gaining, name, code))).toEqual([400, 2106]);
  });

  test('failure: codes that are almost right', async () => {
    const [name, code] = await domainWithCode();
    for (const almost of [` ${code}`, code.slice(1)])
      expect(outcome(await take(gaining, name, almost))).toEqual([400, 2202]);
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
  });

  test.each([
    [undefined, 2003, 'transfer'],
    [{}, 2003, 'transfer'],
    [{ transfer: {} }, 2003, 'transfer.transfer_code'],
    [{ transfer: { transfer_code: '' } }, 2003, 'transfer.transfer_code'],
    [{ transfer: { transfer_code: null } }, 2003, 'transfer.transfer_code'],
    [{ transfer: { transfer_code: 12345678 } }, 2005, 'transfer.transfer_code'],
    [{ transfer: { transfer_code: 'x'.repeat(256) } }, 2005, 'transfer.transfer_code'],
    [{ transfer: { transfer_code: 'known', code: 'known' } }, 2005, 'transfer.code'],
    [{ transfer_code: 'known', transfer: { transfer_code: 'known' } }, 2005, 'transfer_code'],
  ])('failure: %j, before the domain is read', async (body, code, field) => {
    for (const name of [await mari.register(), 'nothing-here.ee'])
      expect(firstFailure(await gaining.post(`/domains/${name}/transfer`, body))).toEqual([400, code, field]);
  });

  test('failure: no such domain, an invalid name, a removed one that the registrar had sponsored', async () => {
    const [name, code] = await domainWithCode();
    await purge(registry.sql, name);
    expect(outcome(await take(losing, name, code))).toEqual([410, 2303]);
    for (const unknown of [name, 'nothing-here.ee', 'a.b.c', '%00'])
      expect(outcome(await take(gaining, unknown, code))).toEqual([404, 2303]);
  });

  test('failure: a billing user', async () => {
    const [name, code] = await domainWithCode();
    expect(outcome(await take(alphaBilling(registry.url), name, code))).toEqual([403, 2201]);
  });
});

describe('guessing the code of a domain', () => {
  /** As many wrong codes of one registrar as allowed, in every kind of call. */
  const guesses = (client: Client, name: string) => [
    ...Array.from({ length: 4 }, () => () => take(client, name, 'wrong')),
    ...Array.from({ length: 2 }, () => () => take(client, name, 'wrong', { 'dry-run': 'true' })),
    ...Array.from({ length: 4 }, () => () => transferInfo(client, name, 'wrong')),
  ];

  test(`failure: ${row('too many wrong codes')} of one registrar, in any call; other registrars are not affected`, async () => {
    const [name, code] = await domainWithCode();
    for (const guess of guesses(poor(registry.url), name))
      expect(outcome(await guess())).toEqual([400, 2202]);
    for (const sent of ['wrong', code]) {
      const reply = await take(poor(registry.url), name, sent);
      expect(outcome(reply)).toEqual([429, 2502]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    const [other, otherCode] = await domainWithCode();
    expect(outcome(await take(poor(registry.url), other, otherCode))).toEqual([200, 1000]);
    expect(outcome(await transferInfo(gaining, name, code))).toEqual([200, 1000]);
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
  });

  test('failure: the wait of a registrar ends when its first wrong code is an hour old', async () => {
    const [name, code] = await domainWithCode();
    for (const guess of guesses(gaining, name)) await guess();
    expect(outcome(await take(gaining, name, code))).toEqual([429, 2502]);
    await registry.sql.run(sql`update wrong_codes set at = at - interval '1 hour' where name = ${name}`);
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
  });

  test('success: the sponsor gets a message at the tenth wrong code over all registrars, once an hour', async () => {
    const [name] = await domainWithCode();
    const messageTexts = async () => (await messagesAbout(losing, name)).map(({ text }) => text);
    for (const guess of guesses(gaining, name).slice(0, 5)) await guess();
    for (const guess of guesses(poor(registry.url), name).slice(0, 4)) await guess();
    expect(await messageTexts()).toEqual([]);
    const text = (count: number) => `${count} wrong codes came for domain ${name} within an hour`;
    await take(poor(registry.url), name, 'wrong');
    expect(await messagesAbout(losing, name)).toMatchObject([
      { type: 'wrong_codes', text: text(10), attached_obj_type: 'Domain' },
    ]);
    for (const guess of guesses(poor(registry.url), name).slice(0, 5)) await guess();
    expect(await messageTexts()).toEqual([text(10)]);
    // An hour after the message, with enough wrong codes within the last hour, there is another one.
    await registry.sql.run(
      sql`update wrong_codes set at = at - interval '1 hour' where name = ${name} and sponsor_notified`,
    );
    await take(gaining, name, 'wrong');
    expect(await messageTexts()).toEqual([text(10), text(15)]);
    expect(await messagesAbout(gaining, name)).toEqual([]);
  });

  test('success: wrong codes of the sponsor neither count nor are they refused', async () => {
    const [name, code] = await domainWithCode();
    for (let guess = 0; guess < 12; guess++)
      expect(outcome(await take(losing, name, 'wrong'))).toEqual([400, 2202]);
    expect(await wrongCodesFor(registry.sql, name)).toBe(0);
    expect(outcome(await take(losing, name, code))).toEqual([400, 2002]);
    expect(await messagesAbout(losing, name)).toEqual([]);
    expect(outcome(await take(gaining, name, code))).toEqual([200, 1000]);
  });

  test('failure: of forty concurrent guesses ten are checked', async () => {
    const [name] = await domainWithCode();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => take(gaining, name, `guess ${index}`)),
    );
    const counts = Map.groupBy(replies, (reply) => outcome(reply).join('/'));
    expect([...counts].map(([what, { length }]) => [what, length]).toSorted()).toEqual([
      ['400/2202', 10],
      ['429/2502', 30],
    ]);
    expect(await messagesAbout(losing, name)).toHaveLength(1);
  });
});

describe('replays and dry runs of a transfer', () => {
  test('success: the same key gets the same answer, and nothing happens twice', async () => {
    const [[name, code], key] = [await domainWithCode(), { 'idempotency-key': freshCode() }];
    const first = await take(gaining, name, code, key);
    const after = await read(gaining, name);
    const second = await take(gaining, name, code, key);
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(await read(gaining, name)).toEqual(after);
    expect(await messagesAbout(losing, name)).toHaveLength(1);
    expect(await wrongCodesFor(registry.sql, name)).toBe(0);
  });

  test('failure: the same key for another domain; without a key the code is used up', async () => {
    const [[name, code], [other, otherCode]] = [await domainWithCode(), await domainWithCode()];
    const key = { 'idempotency-key': freshCode() };
    await take(gaining, name, code, key);
    expect(firstFailure(await take(gaining, other, otherCode, key))).toEqual([400, 2005, 'Idempotency-Key']);
    expect(outcome(await take(gaining, name, code))).toEqual([400, 2202]);
  });

  test('success: a refusal does not use up a key, and the stored answer holds no code', async () => {
    const [[name, code], key] = [await domainWithCode(), freshCode()];
    await setStatuses(registry.sql, name, { pendingUpdate: '' });
    expect(outcome(await take(gaining, name, code, { 'idempotency-key': key }))).toEqual([400, 2304]);
    await setStatuses(registry.sql, name, {});
    expect(outcome(await take(gaining, name, code, { 'idempotency-key': key }))).toEqual([200, 1000]);
    const kept = await registry.sql.rows(sql`select answer from idempotency_keys where key = ${key}`);
    expect(kept).toMatchObject([{ answer: { domain: { name, type: 'domain_transfer' } } }]);
  });

  test('success: a dry run answers as the transfer would, and changes nothing', async () => {
    const [name, code] = await domainWithCode({ tech_contacts: [mari.code] });
    const before = await read(losing, name);
    const contacts = (await gaining.get('/contacts')).text;
    const headers = { 'dry-run': 'true', 'idempotency-key': freshCode() };
    expect((await take(gaining, name, code, headers)).body.data).toMatchObject({
      domain: { name, type: 'domain_transfer' },
      charged: '0.00',
      dry_run: { price: '0.00', balance_after: '100000.00' },
    });
    expect(await read(losing, name)).toEqual(before);
    expect((await gaining.get('/contacts')).text).toBe(contacts);
    expect(await messagesAbout(losing, name)).toEqual([]);
    expect(outcome(await take(gaining, name, code, { ...headers, 'dry-run': 'false' }))).toEqual([200, 1000]);
  });

  test('failure: a dry run runs every check', async () => {
    const [name, code] = await domainWithCode();
    const dry = { 'dry-run': 'true' };
    expect(outcome(await take(gaining, name, 'wrong', dry))).toEqual([400, 2202]);
    expect(outcome(await take(losing, name, code, dry))).toEqual([400, 2002]);
    await setStatuses(registry.sql, name, { serverTransferProhibited: '' });
    expect(outcome(await take(gaining, name, code, dry))).toEqual([400, 2304]);
    expect(outcome(await take(gaining, 'nothing-here.ee', code, dry))).toEqual([404, 2303]);
  });
});
