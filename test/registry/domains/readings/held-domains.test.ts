import { expect, test } from 'vitest';
import { carryOut } from '../../../../src/operations/operator-operation.ts';
import type { Pool } from '../../../../src/platform/sql/executor.ts';
import { migrate } from '../../../../src/platform/migrations/migrate.ts';
import { programSchema } from '../../../../src/platform/migrations/migration.ts';
import {
  countHeld,
  findWrongHolds,
  readHolds,
} from '../../../../src/registry/domains/readings/held-domains.ts';
import { dayOf } from '../../../../src/registry/domains/rules/periods.ts';
import { renewDomain } from '../../../../src/registry/domains/renew-domain.ts';
import { setServerStatus } from '../../../../src/registry/domains/set-server-status.ts';
import { readTimeline } from '../../../../src/registry/history/timeline.ts';
import { emptyDatabase } from '../../../support/cadastre.ts';
import { coreForThisFile } from '../../../support/core.ts';
import { operator } from '../../../support/operator.ts';
import { sql } from '../../../support/sql.ts';

const core = coreForThisFile();
const TODAY = new Date();
const AT = '2060-01-31T10:00:00Z';

type Stored = { statuses: object; causes: string[] };
const stored = (name: string) =>
  core.database.reads.one(
    sql<Stored>`select statuses, hold_causes as causes from domains where name = ${name}`,
  );
const recorded = async (name: string) =>
  (await readHolds(core.database.reads, name)).map(({ cause }) => cause).toSorted();
const write = (name: string, assignments: string) =>
  core.database.writes.script(
    `update domains set updated_at = '${AT}', ${assignments} where name = '${name}'`,
  );
const newDomain = async () => core.domain(await core.context('alpha'));

const HOLD = `statuses = statuses || '{"serverHold": ""}'`;
const NO_HOLD = `statuses = statuses - 'serverHold'`;
const REGISTRY = `hold_causes = '["registry"]'`;

test('failure: a hold without a cause, a cause without a hold, a cause that nobody knows', async () => {
  const name = await newDomain();
  await expect(write(name, HOLD)).rejects.toMatchObject({ code: '23514' });
  await write(name, `${HOLD}, ${REGISTRY}`);
  for (const wrong of [
    NO_HOLD,
    `hold_causes = '[]'`,
    `${NO_HOLD}, hold_causes = '["expiry"]'`,
    `hold_causes = '["registry", "weather"]'`,
  ])
    await expect(write(name, wrong)).rejects.toMatchObject({ code: '23514' });
  expect(await stored(name)).toEqual({ statuses: { serverHold: '' }, causes: ['registry'] });
  expect(await recorded(name)).toEqual(['registry']);
});

test('success: holds from before have their causes after the migration', async () => {
  const { sql: db } = await emptyDatabase();
  const { migrations } = programSchema();
  await migrate(
    db,
    'production',
    TODAY,
    migrations.filter(({ version }) => version < 62),
  );
  await db.script(`
    insert into registrars (code, name, website, created_at) values ('ALPHA', 'Alpha', '', now());
    insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
    select id, 'X', 'x', 'N', 'n', 'a@b.ee', '+372.1', '1', 'priv', 'EE', 'x', now(), now() from registrars where code = 'ALPHA';
    insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, outzone_at, statuses)
    select d.name, 'ee', registrar_id, id, 'a-transfer-code', now(), now(), now(), d.outzone_at, d.statuses
    from contacts, (values ('expired.ee', now() - interval '1 day', jsonb '{"serverHold": ""}'), ('noted.ee', now() - interval '1 day', '{"serverHold": "court"}'),
      ('early.ee', now() + interval '1 day', '{"serverHold": ""}'), ('undated.ee', null, '{"serverHold": ""}'), ('free.ee', now(), '{"expired": ""}'))
      as d(name, outzone_at, statuses) where code = 'X'`);
  await migrate(db, 'production', TODAY, migrations);
  expect(await db.rows(sql`select name, hold_causes as causes from domains order by name`)).toEqual([
    { name: 'early.ee', causes: ['registry'] },
    { name: 'expired.ee', causes: ['expiry'] },
    { name: 'free.ee', causes: [] },
    { name: 'noted.ee', causes: ['registry'] },
    { name: 'undated.ee', causes: ['registry'] },
  ]);
  expect(await findWrongHolds(db, 5)).toEqual([]);
  expect(await countHeld(db)).toEqual([
    { cause: 'expiry', count: 1 },
    { cause: 'registry', count: 3 },
  ]);
});

/** A domain of alpha that its expiry has taken out of the zone, and what renews and holds it. */
async function heldByExpiry() {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  await core.database.writes.run(sql`
    update domains set expire_time = now() - interval '20 days', outzone_at = now() - interval '5 days', updated_at = now(),
      statuses = '{"expired": "", "serverHold": ""}', hold_causes = '["expiry"]' where name = ${name}`);
  const { expireTime } = await core.database.reads.one(
    sql<{ expireTime: Date }>`select expire_time as "expireTime" from domains where name = ${name}`,
  );
  const renewal = { name, months: 12, expDate: dayOf(expireTime, context.policy) };
  const renew = () => core.run(renewDomain, renewal, context);
  const held = { name, status: 'serverHold', note: '' } as const;
  const hold = (db: Pool) =>
    carryOut(db, setServerStatus, held, operator({ actor: 'operator:mari', now: context.now }));
  return { context, name, renew, hold };
}

const waitsFor = async (db: Pool): Promise<boolean> =>
  (await db.one(sql<{ waits: boolean }>`select exists (select from pg_locks where not granted) as waits`))
    .waits;

test('success: a renewal that waits for the hold of an operator keeps it', async () => {
  const { name, renew, hold } = await heldByExpiry();
  expect((await stored(name)).causes).toEqual(['expiry']);
  const { renewed } = await core.database.writes.begin(async (changing) => {
    await hold(changing);
    const renewed = renew();
    await expect.poll(() => waitsFor(changing), { interval: 10 }).toBe(true);
    return { renewed };
  });
  await renewed;
  expect(await stored(name)).toEqual({ statuses: { serverHold: '' }, causes: ['registry'] });
});

test('success: a renewal and the hold of an operator at the same time, in any order', async () => {
  const rounds = await Promise.all(Array.from({ length: 12 }, heldByExpiry));
  for (const { renew, hold, name } of rounds) {
    await Promise.all([renew(), hold(core.database.writes)]);
    expect(await stored(name)).toEqual({ statuses: { serverHold: '' }, causes: ['registry'] });
  }
  expect(await findWrongHolds(core.database.reads, 5)).toEqual([]);
});

test('success: history has the causes; timelines and events of registrars do not', async () => {
  const { context, name, renew, hold } = await heldByExpiry();
  const { registrarId } = context.principal;
  const { writes, reads } = core.database;
  await writes.run(sql`
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
    values ('whe_0123456789abcdef', ${registrarId}, 1, 'https://hooks.example', '', now(), now())`);
  await hold(writes);
  await renew();
  const [row] = await reads.rows(sql<{ id: number; before: object; after: object; changed: string[] }>`
    select h.object_id as id, h.before, h.after, e.data -> 'changed' as changed
    from history h join webhook_events e on e.sequence = h.id where h.object_name = ${name} and h.operation = 'renew'`);
  expect(row).toMatchObject({
    before: { hold_causes: ['expiry', 'registry'] },
    after: { hold_causes: ['registry'] },
  });
  expect(row?.changed).toContain('expire_time');
  expect(row?.changed).not.toContain('hold_causes');
  const since = new Date(0);
  const object = { kind: 'domain', id: row?.id ?? 0, name, since } as const;
  const { events } = await readTimeline(reads, object, undefined, { registrarId });
  expect(events.map(({ change }) => change?.operation)).toContain('renew');
  expect(JSON.stringify(events)).not.toContain('hold_causes');
});

test('failure: rows of causes that were written without triggers are found', async () => {
  const name = await newDomain();
  await write(name, `${HOLD}, ${REGISTRY}`);
  await core.database.writes.run(sql`
    delete from domain_hold_causes where domain_id = (select id from domains where name = ${name})`);
  expect(await findWrongHolds(core.database.reads, 5)).toEqual([name]);
});
