import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listContacts } from '../../src/registry/contacts/list-contacts.ts';
import { listDomains } from '../../src/registry/domains/lists/list-domains.ts';
import { findWrongCounts, sumUpCounts } from '../../src/registry/stored-counts.ts';
import type { Context } from '../../src/registry/operation.ts';
import { coreForThisFile } from '../support/core.ts';
import { sql } from '../support/sql.ts';

const core = coreForThisFile();
const FILL = readFileSync(
  new URL('../../migrations/0054_object_counts_base.online.sql', import.meta.url),
  'utf8',
);

const PAGE = { limit: 1, offset: 0, sort: 'createdAt' } as const;
async function counts(context: Context): Promise<{ domains: number; contacts: number }> {
  const { lists } = core.database;
  const { count: domains } = await listDomains(lists, PAGE, context);
  const { count: contacts } = await listContacts(lists, PAGE, context.policy, context.principal);
  return { domains, contacts };
}
const rowsOf = async ({ principal: { registrarId } }: Context) =>
  (
    await core.database.reads.one(sql<{ count: number }>`
      select count(*) from object_counts where registrar_id = ${registrarId} and kind = 'contact'`)
  ).count;
const forget = ({ principal: { registrarId } }: Context) =>
  core.database.writes.run(sql`delete from object_counts where registrar_id = ${registrarId}`);
/** As `cadastre migrate` repeats it, until it has nothing to do. */
async function fill(): Promise<void> {
  const missing = sql<{ count: number }>`
    select 2 * (select count(*) from registrars) - (select count(*) from object_counts where is_base) as count`;
  while ((await core.database.reads.one(missing)).count > 0) await core.database.writes.script(FILL);
}

test('success: the counts follow registrations, transfers, deletions and compaction', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const [before, others] = [await counts(alpha), await counts(beta)];
  const [first = '', ...more] = await Promise.all(Array.from({ length: 4 }, () => core.domain(alpha)));
  expect(await counts(alpha)).toEqual({ domains: before.domains + 4, contacts: before.contacts + 4 });

  const { writes } = core.database;
  await writes.run(sql`
    update domains set registrar_id = ${beta.principal.registrarId} where name = any(${[first, ...more.slice(0, 2)]}::text[])`);
  expect([(await counts(alpha)).domains, (await counts(beta)).domains]).toEqual([
    before.domains + 1,
    others.domains + 3,
  ]);

  await writes.run(sql`delete from domains where name = ${first} or name = ${more.at(-1) ?? ''}`);
  expect([(await counts(alpha)).domains, (await counts(beta)).domains]).toEqual([
    before.domains,
    others.domains + 2,
  ]);

  await Promise.all(Array.from({ length: 60 }, () => core.contact(alpha)));
  await sumUpCounts(writes);
  expect((await counts(alpha)).contacts).toBe(before.contacts + 64);
  expect(await rowsOf(alpha)).toBeLessThan(50);
  expect(await findWrongCounts(core.database.reads)).toEqual([]);
});

test('success: concurrent writers and compaction lose no change', async () => {
  const beta = await core.context('beta');
  const { contacts } = await counts(beta);
  const sums = Array.from({ length: 6 }, () => sumUpCounts(core.database.writes));
  await Promise.all([...Array.from({ length: 60 }, () => core.contact(beta)), ...sums]);
  await Promise.all(Array.from({ length: 3 }, () => sumUpCounts(core.database.writes)));
  expect((await counts(beta)).contacts).toBe(contacts + 60);
  expect(await findWrongCounts(core.database.reads)).toEqual([]);
});

test('success: without a base the objects are counted, and a base is exact despite an open transaction', async () => {
  const alpha = await core.context('alpha');
  const { writes } = core.database;
  await core.domain(alpha);
  const before = await counts(alpha);
  await forget(alpha);
  await core.contact(alpha);
  expect(await counts(alpha)).toEqual({ ...before, contacts: before.contacts + 1 });

  const code = await core.contact(alpha);
  await writes.begin(async (db) => {
    await db.run(sql`delete from contacts where code = ${code}`);
    await fill();
    expect(await counts(alpha)).toEqual({ ...before, contacts: before.contacts + 2 });
  });
  expect(await counts(alpha)).toEqual({ ...before, contacts: before.contacts + 1 });
  expect(await findWrongCounts(core.database.reads)).toEqual([]);
});

test('failure: a wrong count is found', async () => {
  const { principal } = await core.context('alpha');
  class Undone extends Error {}
  const damaged = core.database.writes.begin(async (db) => {
    await db.run(
      sql`insert into object_counts (registrar_id, kind, change) values (${principal.registrarId}, 'domain', 2)`,
    );
    const [wrong, ...others] = await findWrongCounts(db);
    expect(others).toEqual([]);
    expect(wrong).toMatchObject({ registrar: principal.registrarCode, kind: 'domain' });
    expect((wrong?.stored ?? 0) - (wrong?.counted ?? 0)).toBe(2);
    throw new Undone();
  });
  await expect(damaged).rejects.toThrow(Undone);
});
