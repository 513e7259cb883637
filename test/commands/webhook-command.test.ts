import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

const ID = 'whe_00000000000000aa';
let database: DroppableDatabase;
const run = (...args: string[]) => cadastre(['webhook', ...args], { env: { DATABASE_URL: database.url } });
const states = () => database.sql.rows(sql`select state, attempts from webhook_deliveries order by id`);

beforeAll(async () => {
  database = await openProductionDatabase();
  await database.sql.script(`
    insert into registrars (code, name, website, email, created_at) values ('OMEGA', 'Omega', 'https://omega.example', 'info@omega.example', now());
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
    select '${ID}', id, 1, 'https://shop.example/events?token=secret', 'shop', now(), now() from registrars where code = 'OMEGA';
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
    select now(), 'domain', n, 'd' || n || '.ee', 'renew', r.id, 'user:omega' from registrars r, generate_series(1, 2) n where r.code = 'OMEGA'`);
});
afterAll(() => database.drop());

describe('cadastre webhook', () => {
  test('success: list, show and deliveries, without possible secrets', async () => {
    const listed = JSON.parse((await run('list', '--json')).stdout);
    expect(listed).toMatchObject([{ id: ID, registrar: 'OMEGA', state: 'enabled', waiting: 2, failed: 0 }]);
    expect(JSON.parse((await run('list', 'NOBODY', '--json')).stdout)).toEqual([]);
    const shown = (await run('show', ID, '--json')).stdout;
    expect(JSON.parse(shown)).toMatchObject([{ eventTypes: 'all', description: 'shop', disabledAt: null }]);
    expect(JSON.stringify(listed) + shown).not.toContain('secret"');
    const deliveries = JSON.parse((await run('deliveries', ID, '--json')).stdout);
    expect(deliveries).toMatchObject([
      { type: 'domain.renewed', state: 'waiting' },
      { type: 'domain.renewed', state: 'waiting' },
    ]);
    expect(JSON.parse((await run('deliveries', ID, '--state', 'failed', '--json')).stdout)).toEqual([]);
  });

  test('success: disable ends pending deliveries and notifies the registrar; enable and replay send them again', async () => {
    const reasons = ['--reason', 'for the file', '--for-registrar', 'it is not theirs'];
    expect(await run('disable', ID, ...reasons)).toMatchObject({
      code: 0,
      stdout: `${ID} is disabled.\n`,
    });
    expect((await run('show', ID)).stdout).toContain('by the registry, it is not theirs');
    const told = await database.sql.rows(sql`select m.text, p.text as message from mails m, poll_messages p`);
    expect(JSON.stringify(told)).toContain('it is not theirs');
    expect(JSON.stringify(told)).not.toContain('for the file');
    expect(await states()).toEqual(Array(2).fill({ state: 'failed', attempts: 0 }));
    expect(await database.sql.rows(sql`select type from poll_messages`)).toEqual([
      { type: 'webhook_disabled' },
    ]);
    expect(await database.sql.rows(sql`select recipient from mails`)).toEqual([
      { recipient: 'info@omega.example' },
    ]);
    expect(await run('disable', ID)).toMatchObject({ code: 1, stderr: `${ID} is disabled already.\n` });
    expect(await run('replay', ID)).toMatchObject({
      code: 1,
      stderr: `${ID} is disabled; enable it first.\n`,
    });
    expect(await run('enable', ID)).toMatchObject({ code: 0, stdout: `${ID} is enabled.\n` });
    expect(await run('enable', ID)).toMatchObject({ code: 1, stderr: `${ID} is not disabled.\n` });
    const [{ event } = expect.fail()] = JSON.parse((await run('deliveries', ID, '--json')).stdout);
    expect(await run('replay', ID, '--event', event)).toMatchObject({ code: 0, stdout: '1 event is due.\n' });
    expect(await run('replay', ID, '--since', '2199-01-01')).toMatchObject({ stdout: '0 events are due.\n' });
    expect(await run('replay', ID)).toMatchObject({ code: 0, stdout: '1 event is due.\n' });
    expect(await states()).toEqual(Array(2).fill({ state: 'waiting', attempts: 0 }));
    const recorded = await database.sql.rows(
      sql`select operation, reason, reason_for_registrar as told, after from history where object_kind = 'webhook' and object_name = ${ID} order by id`,
    );
    expect(recorded).toEqual([
      {
        operation: 'disable',
        reason: 'for the file',
        told: 'it is not theirs',
        after: { disabledReason: 'by the registry, it is not theirs' },
      },
      { operation: 'enable', reason: null, told: null, after: null },
      { operation: 'replay', reason: null, told: null, after: { replayed: 1, event } },
      { operation: 'replay', reason: null, told: null, after: { replayed: 1 } },
    ]);
  });

  test.each([
    [['show', 'whe_none'], 'There is no webhook endpoint whe_none.'],
    [['disable', 'whe_none'], 'There is no webhook endpoint whe_none.'],
    [['enable', 'whe_none'], 'There is no webhook endpoint whe_none.'],
    [['replay', 'whe_none'], 'There is no webhook endpoint whe_none.'],
    [['deliveries', 'whe_none'], 'There is no webhook endpoint whe_none.'],
    [['deliveries', ID, '--limit', '0'], '--limit is 1 to 10000.'],
    [['replay', ID, '--event', 'msg_none'], `${ID} never had an event msg_none.`],
  ])('failure: %j', async (args, stderr) => {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: `${stderr}\n` });
  });
});
