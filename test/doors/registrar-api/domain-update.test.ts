import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { firstFailure, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;

describe('PUT /domains/:domain_name', () => {
  test('success: a transfer code alone', async () => {
    const name = await mari.register();
    expect(
      (await client.put(`/domains/${name}`, { domain: { transfer_code: 'chosen-by-us' } })).body.data,
    ).toMatchObject({ domain: { name } });
    expect((await read(name)).transfer_code).toBe('chosen-by-us');
  });

  test('success: verified changes the registrant at once, with a new transfer code', async () => {
    const name = await mari.register();
    const before = await read(name);
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    for (const verified of [true, 'true']) {
      const reply = await client.put(`/domains/${name}`, {
        domain: { registrant: { code: jaan, verified } },
      });
      expect([reply.body.message, reply.body.data]).toMatchObject([
        'Command completed successfully',
        { domain: { name } },
      ]);
    }
    const after = await read(name);
    expect(after.registrant.code).toBe(jaan);
    expect(after.transfer_code).not.toBe(before.transfer_code);
  });

  test('success: not verified asks the registrant first; nothing is applied and the request is stored', async () => {
    const name = await mari.register();
    const before = await read(name);
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const reply = await client.put(`/domains/${name}`, {
      domain: { registrant: { code: jaan }, transfer_code: 'for-the-new-one' },
    });
    expect([reply.body.message, reply.body.data]).toMatchObject([
      'Command completed successfully; action pending',
      { domain: { name, pending: true } },
    ]);
    const after = await read(name);
    expect(after).toMatchObject({
      registrant: before.registrant,
      transfer_code: before.transfer_code,
      statuses: { inactive: '', pendingUpdate: '' },
    });
    const [request] = await registry.sql.rows(sql`
      select r.kind, c.code, r.new_transfer_code as "newCode", extract(epoch from expires_at - requested_at)::int as seconds
      from registrant_requests r join domains d on d.id = r.domain_id join contacts c on c.id = r.new_registrant_id where d.name = ${name}`);
    expect(request).toEqual({
      kind: 'registrant change',
      code: jaan,
      newCode: 'for-the-new-one',
      seconds: 48 * 3600,
    });
    expect(outcome(await client.put(`/domains/${name}`, { domain: { registrant: { code: jaan } } }))).toEqual(
      [400, 2304],
    );
  });

  test('success: a dry run sends no request; a replay says pending again', async () => {
    const name = await mari.register();
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const body = { domain: { registrant: { code: jaan } } };
    await client.put(`/domains/${name}`, body, { headers: { 'dry-run': 'true' } });
    expect((await read(name)).statuses).toEqual({ inactive: '' });
    const headers = { 'idempotency-key': freshCode() };
    const [first, again] = [
      await client.put(`/domains/${name}`, body, { headers }),
      await client.put(`/domains/${name}`, body, { headers }),
    ];
    expect(again.text).toBe(first.text);
  });

  test('failure: an unknown registrant, one of another registrar, an empty body', async () => {
    const name = await mari.register();
    const foreign = await createContact(beta(registry.url));
    for (const code of ['nobody', foreign]) {
      expect(
        firstFailure(await client.put(`/domains/${name}`, { domain: { registrant: { code } } })),
      ).toEqual([400, 2303, 'domain.registrant.code']);
    }
    expect(firstFailure(await client.put(`/domains/${name}`, { domain: {} }))).toEqual([400, 2003, 'domain']);
    expect(firstFailure(await client.put(`/domains/${name}`, { domain: { registrant: {} } }))).toEqual([
      400,
      2003,
      'domain.registrant.code',
    ]);
    expect(
      firstFailure(await client.put(`/domains/${name}`, { domain: { transfer_code: 'short' } })),
    ).toEqual([400, 2005, 'domain.transfer_code']);
  });

  test('failure: a disputed domain', async () => {
    const name = await mari.register();
    await registry.sql.run(
      sql`insert into disputes (name, code, starts_at, expires_at) values (${name}, 'x', '2020-01-01', '2099-01-01')`,
    );
    expect(await read(name)).toMatchObject({ dispute: true, statuses: { disputed: '', inactive: '' } });
    expect(
      outcome(await client.put(`/domains/${name}`, { domain: { transfer_code: 'new-transfer-code' } })),
    ).toEqual([400, 2304]);
    expect(
      outcome(await client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } })),
    ).toEqual([400, 2304]);
  });
});

describe('the new registrant of a pending request', () => {
  test('failure: cannot be deleted while the request is pending', async () => {
    const name = await mari.register();
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    await client.put(`/domains/${name}`, { domain: { registrant: { code: jaan } } });
    expect(outcome(await client.delete(`/contacts/${jaan}`))).toEqual([400, 2305]);
  });
});

test.each([[null], ['']])(
  'success: a registrant with the transfer code %j gets a generated one',
  async (code) => {
    const name = await mari.register({ transfer_code: 'chosen-by-us' });
    const registrant = { code: await createContact(client), verified: true };
    const reply = await client.put(`/domains/${name}`, { domain: { registrant, transfer_code: code } });
    expect(outcome(reply)).toEqual([200, 1000]);
    expect((await client.get(`/domains/${name}`)).body.data.domain.transfer_code).toMatch(/^[0-9a-f]{32}$/);
  },
);
