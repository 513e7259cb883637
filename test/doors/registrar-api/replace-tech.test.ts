import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, beta, type Client } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { firstFailure, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { row } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import { whileChanging } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const replace = (from: unknown, to: unknown, headers: Record<string, string> = {}, by = client) =>
  by.patch('/domains/contacts', { current_contact_id: from, new_contact_id: to }, { headers });
/** Contacts of their own for each test, so that no test affects the domains of another. */
const two = async (): Promise<[string, string]> => [await createContact(client), await createContact(client)];
const rolesOf = async (name: string, by = client) => (await by.get(`/domains/${name}/contacts`)).body.data;

describe('PATCH /domains/contacts', () => {
  test('success: on every domain that has it, in the order of names; the other techs stay', async () => {
    const [from, to] = await two();
    const third = await createContact(client);
    const names = [
      await mari.register({ tech_contacts: [from] }),
      await mari.register({ tech_contacts: [third, from] }),
      await mari.register({ tech_contacts: [from] }),
    ];
    const without = await mari.register({ tech_contacts: [third] });
    const reply = await replace(from, to);
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully',
      { affected_domains: names.toSorted(), skipped_domains: [] },
    ]);
    expect(
      (await Promise.all(names.map((name) => rolesOf(name)))).map((roles) => roles.tech_contacts.toSorted()),
    ).toEqual([[to], [third, to].toSorted(), [to]]);
    expect(await rolesOf(without)).toEqual({ admin_contacts: [], tech_contacts: [third] });
  });

  test('success: as registrant and admin contact it stays where it is', async () => {
    const [from, to] = await two();
    const holder = new Registrant(client, from);
    const both = await holder.register({ admin_contacts: [from], tech_contacts: [from] });
    const admin = await mari.register({ admin_contacts: [from] });
    expect((await replace(from, to)).body.data).toEqual({ affected_domains: [both], skipped_domains: [] });
    expect(await rolesOf(both)).toEqual({ admin_contacts: [from], tech_contacts: [to] });
    expect(await rolesOf(admin)).toEqual({ admin_contacts: [from], tech_contacts: [] });
    expect((await client.get(`/domains/${both}`)).body.data.domain.registrant.code).toBe(from);
  });

  test('success: an organisation, which could not be an admin contact; codes in any case', async () => {
    const from = await createContact(client);
    const to = await createContact(client, {
      ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    });
    const name = await mari.register({ tech_contacts: [from] });
    expect((await replace(from.toUpperCase(), to.toUpperCase())).body.data.affected_domains).toEqual([name]);
    expect((await rolesOf(name)).tech_contacts).toEqual([to]);
  });

  test('success: each domain has a history row, and the contact, no longer used, can be deleted', async () => {
    const [from, to] = await two();
    const name = await mari.register({ tech_contacts: [from] });
    await replace(from, to, { 'x-request-id': `for-${name}` });
    const rows = await registry.sql.rows(sql<{ operation: string; requestId: string; after: object }>`
      select operation, request_id as "requestId", after from history where object_name = ${name} order by id desc limit 1`);
    expect(rows).toMatchObject([
      { operation: 'replace tech contact', requestId: `for-${name}`, after: { tech_contacts: [to] } },
    ]);
    expect(outcome(await client.delete(`/contacts/${from}`))).toEqual([200, 1000]);
  });

  test('success: a contact that no domain has', async () => {
    expect((await replace(...(await two()))).body.data).toEqual({
      affected_domains: [],
      skipped_domains: [],
    });
  });
});

describe('domains that are skipped', () => {
  const PROHIBITING = ['serverTechChangeProhibited'];

  test.each(PROHIBITING.map((status) => [status]))('success: %s', async (status) => {
    const [from, to] = await two();
    const [free, held] = [
      await mari.register({ tech_contacts: [from] }),
      await mari.register({ tech_contacts: [from] }),
    ];
    await setStatuses(registry.sql, held, { [status]: '' });
    expect((await replace(from, to)).body.data).toEqual({
      affected_domains: [free],
      skipped_domains: [held],
    });
    expect((await rolesOf(held)).tech_contacts).toEqual([from]);
  });

  test('success: one from which a concurrent transaction removed the old contact', async () => {
    const [from, to] = await two();
    const name = await mari.register({ tech_contacts: [from, mari.code] });
    await whileChanging(
      registry.sql,
      name,
      (db) =>
        db.rows(sql`
        delete from domain_contacts l using domains d, contacts c
        where d.id = l.domain_id and c.id = l.contact_id and d.name = ${name} and c.code = ${from}`),
      () => replace(from, to),
    );
    expect((await rolesOf(name)).tech_contacts).toEqual([mari.code]);
  });

  test('success: a domain of another registrar, though it has the contact', async () => {
    const [from, to] = await two();
    const theirs = await (await Registrant.of(beta(registry.url))).register();
    // No call links a contact of another registrar; imported domains may have one.
    await registry.sql.run(sql`
      insert into domain_contacts (domain_id, contact_id, role)
      select d.id, c.id, 'tech' from domains d, contacts c where d.name = ${theirs} and c.code = ${from}`);
    expect((await replace(from, to)).body.data).toEqual({ affected_domains: [], skipped_domains: [] });
    expect((await rolesOf(theirs, beta(registry.url))).tech_contacts).toEqual([from]);
  });
});

describe('what is refused', () => {
  test.each([
    [undefined, 2003, 'current_contact_id'],
    [{}, 2003, 'current_contact_id'],
    [{ current_contact_id: 'a' }, 2003, 'new_contact_id'],
    [{ new_contact_id: 'a' }, 2003, 'current_contact_id'],
    [{ current_contact_id: '', new_contact_id: 'a' }, 2003, 'current_contact_id'],
    [{ current_contact_id: null, new_contact_id: 'a' }, 2003, 'current_contact_id'],
    [{ current_contact_id: 5, new_contact_id: 'a' }, 2005, 'current_contact_id'],
    [{ current_contact_id: 'a', new_contact_id: ['b'] }, 2005, 'new_contact_id'],
    [{ current_contact_id: 'a', new_contact_id: 'b', domains: ['c.ee'] }, 2005, 'domains'],
  ])('failure: %j', async (body, code, field) => {
    expect(firstFailure(await client.patch('/domains/contacts', body))).toEqual([400, code, field]);
  });

  test(`failure: ${row('object named in the body')} unknown contacts and those of another registrar, both at once`, async () => {
    const [from] = await two();
    const theirs = await createContact(beta(registry.url));
    for (const unknown of ['nobody', theirs, 'no code at all']) {
      expect(firstFailure(await replace(from, unknown))).toEqual([400, 2303, 'new_contact_id']);
      expect(firstFailure(await replace(unknown, from))).toEqual([400, 2303, 'current_contact_id']);
      expect((await replace(unknown, 'nobody')).body.errors?.map(({ code, field }) => [code, field])).toEqual(
        [
          [2303, 'current_contact_id'],
          [2303, 'new_contact_id'],
        ],
      );
    }
  });

  test('failure: a contact by itself, in any case', async () => {
    const [from] = await two();
    await mari.register({ tech_contacts: [from] });
    expect(firstFailure(await replace(from, from.toUpperCase()))).toEqual([400, 2304, 'new_contact_id']);
  });

  test('failure: a billing user', async () => {
    expect(outcome(await replace('a', 'b', {}, alphaBilling(registry.url)))).toEqual([403, 2201]);
  });
});

describe('an internal error within a batch', () => {
  test.each([[1], [300], [301], [600], [999]])(
    'failure: at domain %i: nothing is changed, and other requests succeed',
    async (place) => {
      const [[from, to], run] = [await two(), freshCode()];
      // As many as this take long to register one by one.
      await registry.sql.run(sql`
        with made as (
          insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
          select ${run} || '-' || n || '.ee', 'ee', c.registrar_id, c.id, 'some-transfer-code', now(), now(), now() + interval '1 year'
          from contacts c, generate_series(1, 1000) as n where c.code = ${from} order by n returning id)
        insert into domain_contacts (domain_id, contact_id, role) select made.id, c.id, 'tech' from made, contacts c where c.code = ${from}`);
      await registry.sql.script(`
        create function break_${run.slice(5)}() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$;
        create trigger break_${run.slice(5)} before update on domains for each row when (old.name = '${run}-${place}.ee')
          execute function break_${run.slice(5)}()`);
      expect(outcome(await replace(from, to))).toEqual([500, 2400]);
      const [left] = await registry.sql.rows(sql`
        select count(*) filter (where c.code = ${from})::int as old, count(*) filter (where c.code = ${to})::int as new
        from domain_contacts l join contacts c on c.id = l.contact_id`);
      expect(left).toEqual({ old: 1000, new: 0 });
      expect(outcome(await client.get('/contacts?limit=1'))).toEqual([200, 1000]);
    },
  );
});

describe('replays and dry runs', () => {
  test('success: the same key gets the same answer; without it there is nothing left to replace', async () => {
    const [[from, to], key] = [await two(), { 'idempotency-key': freshCode() }];
    const name = await mari.register({ tech_contacts: [from] });
    const first = await replace(from, to, key);
    const second = await replace(from, to, key);
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(first.body.data.affected_domains).toEqual([name]);
    expect((await replace(from, to)).body.data).toEqual({ affected_domains: [], skipped_domains: [] });
    expect(firstFailure(await replace(to, from, key))).toEqual([400, 2005, 'Idempotency-Key']);
  });

  test('success: a dry run returns what would be changed, and changes nothing', async () => {
    const [from, to] = await two();
    const [free, held] = [
      await mari.register({ tech_contacts: [from] }),
      await mari.register({ tech_contacts: [from] }),
    ];
    await setStatuses(registry.sql, held, { serverTechChangeProhibited: '' });
    const before = (await client.get(`/domains/${free}`)).text;
    expect((await replace(from, to, { 'dry-run': 'true' })).body.data).toMatchObject({
      affected_domains: [free],
      skipped_domains: [held],
      dry_run: { price: '0.00' },
    });
    expect((await client.get(`/domains/${free}`)).text).toBe(before);
  });
});
