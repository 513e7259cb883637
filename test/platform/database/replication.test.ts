import { expect, inject, test } from 'vitest';
import {
  isStandbyMissing,
  type Replication,
  standbysRequiredBy,
} from '../../../src/platform/database/replication.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { sql } from '../../support/sql.ts';

test('success: the standbys that a commit waits for are read from synchronous_standby_names', async () => {
  const db = await connectAsOwner(inject('server'));
  const cases: readonly [names: string, required: number][] = [
    ['', 0],
    ['b', 1],
    ['b, c', 1],
    ['*', 1],
    ['ANY 1 (b, c)', 1],
    ['any 2(b, c, d)', 2],
    ['FIRST 3 (*)', 3],
    ['2 (b, c, d)', 2],
    ['"2"', 1],
  ];
  for (const [names, required] of cases) {
    const row = await db.one(
      sql<{ required: number }>`select ${standbysRequiredBy(sql`${names}::text`)} as required`,
    );
    expect([names, row.required]).toEqual([names, required]);
  }
  await db.close();
});

const PRIMARY: Replication = {
  isStandby: false,
  synchronousNames: 'ANY 2 (b, c)',
  required: 2,
  connected: 2,
  synchronous: 2,
};

test.for<[string, Partial<Replication>, boolean]>([
  ['as many as are required', {}, false],
  ['one of two', { connected: 1, synchronous: 1 }, true],
  ['two, one of them asynchronous', { synchronous: 1 }, true],
  ['two whose state cannot be seen', { synchronous: null }, false],
  ['one whose state cannot be seen', { connected: 1, synchronous: null }, true],
  ['none, where commits wait for nobody', { required: 0, connected: 0, synchronous: 0 }, false],
  ['none, on a standby', { isStandby: true, connected: 0, synchronous: 0 }, false],
])('success: whether commits wait for a standby that is away, with %s', ([, changes, isMissing]) => {
  expect(isStandbyMissing({ ...PRIMARY, ...changes })).toBe(isMissing);
});
