import { expect, test } from 'vitest';
import { checkReplication } from '../../src/doctor/check-replication.ts';
import type { Replication } from '../../src/platform/database/replication.ts';

const PRIMARY: Replication = {
  isStandby: false,
  synchronousNames: '',
  required: 0,
  connected: 0,
  synchronous: 0,
};

test.for<[string, Partial<Replication>, string, RegExp]>([
  ['a standby', { isStandby: true }, 'problem', /takes no writes/],
  ['nobody', {}, 'warning', /There is no standby/],
  ['an asynchronous standby', { connected: 1 }, 'warning', /none of the 1 standby: .* acknowledged writes/],
  [
    'one of one',
    { synchronousNames: 'b', required: 1, connected: 1, synchronous: 1 },
    'warning',
    /if one is lost, writes stop/,
  ],
  [
    'one of two',
    { synchronousNames: 'ANY 1 (b, c)', required: 1, connected: 2, synchronous: 2 },
    'ok',
    /one may be lost/,
  ],
  [
    'two of two',
    { synchronousNames: 'FIRST 2 (b, c)', required: 2, connected: 2, synchronous: 2 },
    'warning',
    /writes stop/,
  ],
  [
    'two of three',
    { synchronousNames: '2 (b, c, d)', required: 2, connected: 3, synchronous: 3 },
    'ok',
    /wait for 2 of 3/,
  ],
  [
    'none of two',
    { synchronousNames: 'ANY 1 (b, c)', required: 1, connected: 2, synchronous: 0 },
    'problem',
    /no write ends/,
  ],
  ['nobody any more', { synchronousNames: 'b,c', required: 1 }, 'problem', /0 can be reached/],
  [
    'unseen ones',
    { synchronousNames: 'b,c', required: 1, connected: 2, synchronous: null },
    'ok',
    /grant pg_read_all_stats to cadastre_app/,
  ],
])('success: commits that wait for %s', ([, changes, state, says]) => {
  expect(checkReplication({ ...PRIMARY, ...changes })).toMatchObject({
    state,
    says: expect.stringMatching(says),
  });
});
