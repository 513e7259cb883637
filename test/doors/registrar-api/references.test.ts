import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, beta, type Client } from '../../support/client.ts';
import { OldClient, setProfile } from '../../support/compatibility.ts';
import { loggedIn } from '../../support/console.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { firstFailure, newDomain, outcome, Registrant } from '../../support/domains.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import { codeOf, newRegistrant, take } from '../../support/transfers.ts';
import { askWhois, whoisPortOf } from '../../support/whois.ts';

const REFERENCE = 'shop-order-4711';
const LONGEST = '👍'.repeat(255);

let registry: TestRegistry;
let client: Client;
let other: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0, whoisPort: 0 });
  client = alpha(registry.url);
  other = beta(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const ofDomain = async (name: string, of = client) =>
  (await of.get(`/domains/${name}`)).body.data.domain.reference;
const ofContact = async (code: string, of = client) =>
  (await of.get(`/contacts/${code}`)).body.data.contact.reference;
const changeDomain = (name: string, change: object, headers: Record<string, string> = {}, by = client) =>
  by.put(`/domains/${name}`, { domain: change }, { headers });
const changeContact = (code: string, change: object, headers: Record<string, string> = {}, by = client) =>
  by.put(`/contacts/${code}`, { contact: change }, { headers });
const DRY = { 'dry-run': 'true' };
const keyed = () => ({ 'idempotency-key': freshCode() });

describe('the reference of a domain', () => {
  test('success: given with the registration, read alone and in the list', async () => {
    const reply = await mari.try({ reference: ` ${REFERENCE} ` });
    const { name, reference } = reply.body.data.domain;
    expect(reference).toBe(REFERENCE);
    expect(await ofDomain(name)).toBe(REFERENCE);
    const { domains } = (await client.get(`/domains?details=true&q=${name}`)).body.data;
    expect(domains).toMatchObject([{ name, reference: REFERENCE }]);
  });

  test('success: null, an empty text and none are no reference', async () => {
    for (const given of [{}, { reference: null }, { reference: '' }]) {
      const { name, reference } = (await mari.try(given)).body.data.domain;
      expect([reference, await ofDomain(name)]).toEqual([null, null]);
    }
  });

  test('success: an update sets it, and null or an empty text removes it', async () => {
    const name = await mari.register();
    for (const [given, stored] of [
      [' öö – 7 ', 'öö – 7'],
      [null, null],
      [LONGEST, LONGEST],
      ['', null],
    ]) {
      const reply = await changeDomain(name, { reference: given });
      expect([...outcome(reply), reply.body.data.domain.reference]).toEqual([200, 1000, stored]);
      expect(await ofDomain(name)).toBe(stored);
    }
  });

  test('success: it stays with all other changes, and does not wait for the registrant', async () => {
    const name = await mari.register({ reference: REFERENCE });
    const renews = { period: 1, period_unit: 'y', exp_date: (await expiryOf(name)).slice(0, 10) };
    const renewed = await client.post(`/domains/${name}/renew`, { renews });
    expect(renewed.body.data.domain.reference).toBe(REFERENCE);
    await client.put(`/domains/${name}/statuses/clientHold`);
    expect(await ofDomain(name)).toBe(REFERENCE);
    const ident = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
    const code = await createContact(client, { ident });
    const registrant = { code, verified: false };
    const asked = await changeDomain(name, { registrant, reference: 'another' });
    expect(asked.body.data.domain).toMatchObject({ pending: true, reference: 'another' });
    expect(await ofDomain(name)).toBe('another');
  });

  test('success: with another registrant at once', async () => {
    const name = await mari.register({ reference: REFERENCE });
    const registrant = { code: await createContact(client), verified: true };
    expect((await changeDomain(name, { registrant })).body.data.domain.reference).toBe(REFERENCE);
    const reply = await changeDomain(name, {
      registrant: { code: mari.code, verified: true },
      reference: null,
    });
    expect([reply.body.data.domain.reference, await ofDomain(name)]).toEqual([null, null]);
  });

  test('success: a dry run shows it and writes nothing; a repetition has the first answer', async () => {
    expect((await mari.try({ reference: REFERENCE }, DRY)).body.data.domain.reference).toBe(REFERENCE);
    const [order, headers] = [newDomain(mari.code, { reference: REFERENCE }), keyed()];
    const first = await client.post('/domains', order, { headers });
    expect((await client.post('/domains', order, { headers })).text).toBe(first.text);
    const { name } = first.body.data.domain;
    const rehearsed = await changeDomain(name, { reference: 'rehearsed' }, DRY);
    expect([rehearsed.body.data.domain.reference, await ofDomain(name)]).toEqual(['rehearsed', REFERENCE]);
    const key = keyed();
    const changed = await changeDomain(name, { reference: 'changed' }, key);
    await changeDomain(name, { reference: 'later' });
    expect((await changeDomain(name, { reference: 'changed' }, key)).text).toBe(changed.text);
    expect(await ofDomain(name)).toBe('later');
  });

  test.each([['a'.repeat(256)], ['two\nlines'], ['a\u0000'], [7]])(
    'failure: %j is refused, with a registration and in an update',
    async (reference) => {
      const refused = [400, 2005, 'domain.reference'];
      expect(firstFailure(await mari.try({ reference }))).toEqual(refused);
      const name = await mari.register({ reference: REFERENCE });
      expect(firstFailure(await changeDomain(name, { reference }))).toEqual(refused);
      expect(await ofDomain(name)).toBe(REFERENCE);
    },
  );

  test('failure: of another registrar, without the right, and where a status forbids updates', async () => {
    const name = await mari.register();
    const change = { reference: REFERENCE };
    expect(outcome(await changeDomain(name, change, {}, other))).toEqual([403, 2201]);
    expect((await changeDomain(name, change, {}, alphaBilling(registry.url))).status).toBe(403);
    await setStatuses(registry.sql, name, { serverUpdateProhibited: '' });
    expect(outcome(await changeDomain(name, change))).toEqual([400, 2304]);
    expect(await ofDomain(name)).toBeNull();
  });
});

describe('the reference of a contact', () => {
  test('success: given with the creation, changed and removed, read alone and in the list', async () => {
    const made = await client.post('/contacts', newContact({ reference: REFERENCE }));
    const { code, reference } = made.body.data.contact;
    expect([reference, await ofContact(code)]).toEqual([REFERENCE, REFERENCE]);
    const { contacts } = (await client.get(`/contacts?details=true&q=${code}`)).body.data;
    expect(contacts).toMatchObject([{ code, reference: REFERENCE }]);
    await changeContact(code, { phone: '+372.7' });
    expect(await ofContact(code)).toBe(REFERENCE);
    for (const [given, stored] of [
      [LONGEST, LONGEST],
      [null, null],
      [' öö – 7 ', 'öö – 7'],
      ['', null],
    ]) {
      expect((await changeContact(code, { reference: given })).body.data.contact.reference).toBe(stored);
      expect(await ofContact(code)).toBe(stored);
    }
    expect(await ofContact(await createContact(client, { reference: null }))).toBeNull();
  });

  test('success: a dry run shows it and writes nothing; a repetition has the first answer', async () => {
    const code = await createContact(client, { reference: REFERENCE });
    const rehearsed = await changeContact(code, { reference: 'rehearsed' }, DRY);
    expect([rehearsed.body.data.contact.reference, await ofContact(code)]).toEqual(['rehearsed', REFERENCE]);
    const key = keyed();
    const changed = await changeContact(code, { reference: 'changed' }, key);
    await changeContact(code, { reference: 'later' });
    expect((await changeContact(code, { reference: 'changed' }, key)).text).toBe(changed.text);
    expect(await ofContact(code)).toBe('later');
  });

  test.each([['a'.repeat(256)], ['two\nlines'], [7]])(
    'failure: %j is refused, with a creation and in an update',
    async (reference) => {
      const refused = [400, 2005, 'contact.reference'];
      expect(firstFailure(await client.post('/contacts', newContact({ reference })))).toEqual(refused);
      expect(firstFailure(await changeContact(mari.code, { reference }))).toEqual(refused);
    },
  );

  test('failure: of another registrar', async () => {
    expect(outcome(await changeContact(mari.code, { reference: REFERENCE }, {}, other))).toEqual([404, 2303]);
    expect(await ofContact(mari.code)).toBeNull();
  });
});

/** A domain of Alpha that has a reference, as its registrant has, who is no contact of Beta. */
async function noted() {
  const { code } = await newRegistrant(client);
  await changeContact(code, { reference: REFERENCE });
  const name = await new Registrant(client, code).register({ reference: REFERENCE });
  return { name, registrant: code, code: await codeOf(client, name) };
}
const expiryOf = async (name: string): Promise<string> =>
  (await client.get(`/domains/${name}`)).body.data.domain.expire_time;

const { domain, contact } = objectCommands('ee');

describe('a transfer', () => {
  const isGone = async (name: string) => {
    const taken = (await other.get(`/domains/${name}`)).body.data.domain;
    expect(taken.reference).toBeNull();
    expect(await ofContact(taken.registrant.code, other)).toBeNull();
  };

  test('success: ends it, for the domain and for contacts that are copied', async () => {
    const { name, registrant, code } = await noted();
    const moved = await take(other, name, code);
    expect([moved.status, moved.body.data.domain.reference]).toEqual([200, null]);
    await isGone(name);
    expect(await ofContact(registrant)).toBe(REFERENCE);
  });

  test('success: in bulk', async () => {
    const all = [await noted(), await noted()];
    const domain_transfers = all.map(({ name, code }) => ({ domain_name: name, transfer_code: code }));
    const { data } = (await other.post('/domains/transfer', { data: { domain_transfers } })).body;
    expect(data.success).toHaveLength(2);
    for (const { name } of all) await isGone(name);
  });

  test('success: through EPP', async () => {
    const { name, code } = await noted();
    await using epp = await logInToEpp(await eppAddressOf(registry.url), 'beta');
    expect((await epp.command(domain.transfer('request', name, { code }))).code).toBe(1000);
    await isGone(name);
  });

  test('success: the other registrar has its own afterwards, and an own contact keeps its own', async () => {
    const { name, registrant, code } = await noted();
    const { auth_info: _, ...same } = (await client.get(`/contacts/${registrant}`)).body.data.contact;
    const { ident, email } = same;
    const twin = await createContact(other, {
      name: same.name,
      email,
      phone: same.phone,
      ident: { ident: ident.code, ident_type: ident.type, ident_country_code: ident.country_code },
      reference: 'of beta',
    });
    await take(other, name, code);
    expect((await other.get(`/domains/${name}`)).body.data.domain.registrant.code).toBe(twin);
    expect(await ofContact(twin, other)).toBe('of beta');
    expect((await changeDomain(name, { reference: 'of beta' }, {}, other)).status).toBe(200);
    expect('reference' in (await client.get(`/domains/${name}`)).body.data.domain).toBe(false);
  });
});

describe('nobody else sees it', () => {
  test('success: neither other registrars nor the public, nor EPP', async () => {
    const { name, registrant, code } = await noted();
    expect('reference' in (await other.get(`/domains/${name}`)).body.data.domain).toBe(false);
    const withCode = { headers: { 'auth-code': code } };
    const address = await eppAddressOf(registry.url);
    await using sponsor = await logInToEpp(address, 'alpha');
    await using stranger = await logInToEpp(address, 'beta');
    const texts = await Promise.all([
      other.get(`/domains/${name}`).then(({ text }) => text),
      other.get(`/domains/${name}/transfer_info`, withCode).then(({ text }) => text),
      fetch(`${registry.url}/rdap/domain/${name}`).then((reply) => reply.text()),
      fetch(`${registry.url}/lookup?name=${name}`).then((reply) => reply.text()),
      askWhois(await whoisPortOf(registry.url), `${name}\r\n`),
      sponsor
        .command(domain.info(name))
        .then(async ({ frame }) => frame + (await sponsor.command(contact.info(registrant))).frame),
      stranger.command(domain.info(name, { code })).then(({ frame }) => frame),
    ]);
    for (const text of texts) {
      expect(text).toContain(name);
      expect(text).not.toContain(REFERENCE);
    }
    const { text } = await client.get(`/domains/${name}`);
    expect(text).toContain(REFERENCE);
  });

  test('success: it stands in its object and in answers stored for the sponsor, and nowhere else', async () => {
    const { name, registrant, code } = await noted();
    await changeDomain(name, { reference: `${REFERENCE}-b` }, keyed());
    await changeContact(registrant, { reference: `${REFERENCE}-b` });
    await take(other, name, code);
    const tables = await registry.sql.rows(sql<{ name: string }>`
      select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`);
    const found: string[] = [];
    for (const { name: table } of tables) {
      const rows = await registry.sql.rows(
        sql<{ text: string }>`
          select x::text as text from query_to_xml(${`select * from ${table}`}, true, true, '') as x`,
      );
      if (rows.some(({ text }) => text.includes(REFERENCE))) found.push(table);
    }
    expect(found.filter((table) => table !== 'domains').sort()).toEqual(['contacts', 'idempotency_keys']);
  });

  test('success: the console shows it on the pages of the domain and the contact', async () => {
    const { name, registrant } = await noted();
    const console = await loggedIn(registry.url);
    for (const page of [`domains/${name}`, `contacts/${registrant}`]) {
      const { text } = await console.get(`/console/${page}`);
      expect(text).toContain('Your reference');
      expect(text).toContain(REFERENCE);
    }
    expect((await console.get(`/console/domains/${await mari.register()}`)).text).not.toContain(
      'Your reference',
    );
  });
});

describe('under the compatibility profile', () => {
  test('success: no answer has it, and what is sent is discarded by its name', async () => {
    const { name, registrant } = await noted();
    await setProfile(registry, 'ALPHA', 'on');
    try {
      const old = new OldClient(registry.url);
      for (const target of [
        `/domains/${name}`,
        '/domains?details=true',
        `/contacts/${registrant}`,
        '/contacts?details=true',
      ])
        expect(JSON.stringify((await old.get(target)).body)).not.toContain('reference');
      const discarded = ({ status, headers }: Awaited<ReturnType<OldClient['get']>>) => [
        status,
        headers.get('compatibility-discarded'),
      ];
      const change = { reference: 'another' };
      expect(discarded(await old.put(`/domains/${name}`, { domain: change }))).toEqual([
        200,
        'domain.reference',
      ]);
      expect(discarded(await old.put(`/contacts/${registrant}`, { contact: change }))).toEqual([
        200,
        'contact.reference',
      ]);
      const made = await old.post('/domains', newDomain(registrant, change));
      expect(discarded(made)).toEqual([200, 'domain.reference']);
      expect(discarded(await old.post('/contacts', newContact(change)))).toEqual([200, 'contact.reference']);
    } finally {
      await setProfile(registry, 'ALPHA', 'off');
    }
    expect([await ofDomain(name), await ofContact(registrant)]).toEqual([REFERENCE, REFERENCE]);
  });
});
