import { expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { importReserved } from '../../../src/registry/names/import-reserved.ts';
import { openDispute } from '../../../src/registry/names/open-dispute.ts';
import { releaseName } from '../../../src/registry/names/release-name.ts';
import { reserveName } from '../../../src/registry/names/reserve-name.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
const reserve = (name: string, given: { readonly code?: string; readonly duration?: string } = {}) =>
  carryOut(core.database.writes, reserveName, { name, ...given }, operator());
const statusesOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status).toSorted();
const operationsOn = async (name: string) =>
  (
    await core.database.reads.rows(
      sql<{ operation: string }>`select operation from history where object_name = ${name} order by id`,
    )
  ).map(({ operation }) => operation);

test('success: of several who reserve or release a name at once one does', async () => {
  const release = () => carryOut(core.database.writes, releaseName, { name: 'race.ee' }, operator());
  expect(await statusesOf([reserve('race.ee'), reserve('race.ee'), reserve('race.ee')])).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(await statusesOf([release(), release()])).toEqual(['fulfilled', 'rejected']);
  expect(await operationsOn('race.ee')).toEqual(['reserve', 'release']);
});

test('success: of two imports of one name one reserves it, or both the same', async () => {
  const importOne = (code: string) =>
    carryOut(core.database.writes, importReserved, [{ name: 'many.ee', code, expiresAt: null }], operator());
  expect(await statusesOf([importOne('one'), importOne('other')])).toEqual(['fulfilled', 'rejected']);
  expect(await operationsOn('many.ee')).toEqual(['reserve']);
});

test('failure: a registered name, an empty code, a name twice', async () => {
  const name = await core.domain(await core.context('alpha'));
  await expect(reserve(name)).rejects.toThrow(`${name} is registered`);
  await expect(reserve('empty.ee', { code: '' })).rejects.toThrow(
    'without a code nobody could have the name',
  );
  const empty = { name: 'empty.ee', code: '', duration: 'P1M' };
  await expect(carryOut(core.database.writes, openDispute, empty, operator())).rejects.toThrow(
    'code must not be empty',
  );
  const twice = Array(2).fill({ name: 'twice.ee', expiresAt: null });
  await expect(carryOut(core.database.writes, importReserved, twice, operator())).rejects.toThrow(
    'twice.ee is there twice',
  );
});
