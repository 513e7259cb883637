import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Owner } from '../../../../src/platform/database/database.ts';
import { populate } from '../../../performance/population.ts';
import { connectAsOwner } from '../../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Owner;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await connectAsOwner({ ...inject('server'), database: database.name });
  const few = { contactsEach: 5, domains: 6, messagesEach: 0, hasQuickPasswords: true };
  await populate(db, { registrars: ['GAMMA', 'DELTA'], ...few });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const projected = () =>
  db.rows(sql`select registrar_id, status, domain_id from domain_statuses order by domain_id, status`);
const stored = () =>
  db.rows(sql`
    select d.registrar_id, status, d.id as domain_id from domains d cross join lateral jsonb_object_keys(d.statuses) as status
    order by d.id, status collate "C"`);

test('success: the statuses of every domain are listed through its whole lifecycle', async () => {
  const changes = [
    sql`update domains set statuses = statuses || '{"clientHold": "", "expired": "a note"}'`,
    sql`update domains set statuses = statuses || '{"expired": "another note"}'`,
    sql`update domains set expire_time = expire_time + interval '1 year'`,
    sql`update domains set statuses = statuses - 'clientHold' where id = (select min(id) from domains)`,
    sql`update domains set registrar_id = (select max(id) from registrars) where id in (select id from domains order by id limit 2)`,
    sql`update domains set statuses = '{}' where id = (select max(id) from domains)`,
    sql`delete from domains where id = (select min(id) from domains)`,
    sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, statuses, hold_causes)
      select 'locked.ee', zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, '{"serverHold": ""}', '["registry"]'
      from domains limit 1`,
  ];
  for (const change of changes) {
    expect(await db.run(change)).toBeGreaterThan(0);
    expect(await projected()).toEqual(await stored());
  }
  expect((await stored()).length).toBeGreaterThan(3);
});
