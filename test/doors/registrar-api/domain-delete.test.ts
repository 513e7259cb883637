import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../../../src/platform/sql/statement.ts';
import { alpha, type Client } from '../../support/client.ts';
import { balanceOf, firstFailure, outcome, Registrant } from '../../support/domains.ts';
import { sentMails } from '../../support/life.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { row } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';
import { messagesAbout, wrongCodesFor } from '../../support/transfers.ts';

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
const setStatuses = (name: string, statuses: Record<string, string>) =>
  registry.sql.rows(sql`update domains set statuses = ${json(statuses)} where name = ${name}`);

describe('DELETE /domains/:domain_name', () => {
  const remove = (name: string, verified: unknown, headers = {}) =>
    client.delete(`/domains/${name}`, { domain: { delete: { verified } } }, { headers });

  test('success: verified marks it for deletion; a renewal cancels that', async () => {
    const name = await mari.register();
    const reply = await remove(name, true);
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully',
      { domain: { name } },
    ]);
    const gone = await read(name);
    expect(gone.statuses).toEqual({ pendingDelete: '', serverHold: '', inactive: '' });
    expect(gone.outzone_at).not.toBeNull();
    const days =
      (Date.parse(`${gone.delete_date}T00:00:00Z`) -
        Date.parse(`${gone.outzone_at.slice(0, 10)}T00:00:00Z`)) /
      86_400_000;
    expect(days).toBe(31);
    const before = await balanceOf(client);
    await client.post(`/domains/${name}/renew`, {
      renews: { period: 3, period_unit: 'm', exp_date: gone.expire_time.slice(0, 10) },
    });
    expect(await read(name)).toMatchObject({
      statuses: { inactive: '' },
      outzone_at: null,
      delete_date: null,
    });
    expect(Number(before) - Number(await balanceOf(client))).toBeCloseTo(3);
  });

  test('success: not verified asks the registrant first', async () => {
    const name = await mari.register();
    const reply = await remove(name, 'false');
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully; action pending',
      { domain: { name, pending: true } },
    ]);
    expect((await read(name)).statuses).toEqual({ pendingDeleteConfirmation: '', inactive: '' });
    const [request] = await registry.sql.rows(
      sql`select kind from registrant_requests r join domains d on d.id = r.domain_id where d.name = ${name}`,
    );
    expect(request).toEqual({ kind: 'deletion' });
    const [mail] = await sentMails(registry);
    expect(mail?.text).toMatch(/reject this by [\d-]{10} [\d:]{5} \(Eastern European Time\)/);
    expect(mail?.links).toHaveLength(1);
    expect(outcome(await remove(name, true))).toEqual([400, 2304]);
  });

  test(`failure: ${row('wrong code')} a wrong Auth-Code even from the sponsor; the right one passes`, async () => {
    const name = await mari.register();
    const { transfer_code: code } = await read(name);
    expect(firstFailure(await remove(name, true, { 'auth-code': 'wrong' }))).toEqual([
      400,
      2202,
      'Auth-Code',
    ]);
    expect((await read(name)).statuses).toEqual({ inactive: '' });
    expect(outcome(await remove(name, true, { 'auth-code': code }))).toEqual([200, 1000]);
  });

  test('success: an Auth-Code with characters beyond ASCII, in UTF-8', async () => {
    const name = await mari.register();
    // Codes of an earlier time may have such characters.
    await registry.sql.run(sql`update domains set transfer_code = 'šokolaad-ž' where name = ${name}`);
    const code = Buffer.from('šokolaad-ž', 'utf8').toString('latin1');
    expect(outcome(await remove(name, true, { 'auth-code': code }))).toEqual([200, 1000]);
  });

  test('success: wrong codes of the sponsor are not counted, and the right one still works after them', async () => {
    const name = await mari.register();
    for (let attempt = 0; attempt < 12; attempt++)
      expect(outcome(await remove(name, true, { 'auth-code': `wrong ${attempt}` }))).toEqual([400, 2202]);
    expect(await wrongCodesFor(registry.sql, name)).toBe(0);
    expect(await messagesAbout(client, name)).toEqual([]);
    const { transfer_code: code } = await read(name);
    expect(outcome(await remove(name, true, { 'auth-code': code }))).toEqual([200, 1000]);
  });

  test.each([['clientDeleteProhibited']])('failure: the status %s', async (status) => {
    const name = await mari.register();
    await setStatuses(name, { [status]: '' });
    expect(outcome(await remove(name, true))).toEqual([400, 2304]);
    expect((await read(name)).statuses).toEqual({ [status]: '', inactive: '' });
  });

  test.each([
    [undefined, 'domain'],
    [{}, 'domain'],
    [{ domain: {} }, 'domain.delete'],
    [{ domain: { delete: {} } }, 'domain.delete.verified'],
    [{ domain: { delete: { verified: 'yes' } } }, 'domain.delete.verified'],
  ])('failure: %j', async (body, field) => {
    const reply = await client.delete(`/domains/${await mari.register()}`, body);
    expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([400, field]);
  });
});
