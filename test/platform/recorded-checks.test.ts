import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerInDatabase } from '../../src/platform/database-metrics.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import {
  type CheckResult,
  listChecks,
  listUnfinished,
  operatorCheckMetrics,
  recordBeginning,
  recordCheck,
  withdrawBeginning,
} from '../../src/platform/recorded-checks.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { samplesIn } from '../support/metrics.ts';
import { openTestDatabase } from '../support/registry.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
});
afterAll(() => close());

const at = (seconds: number) => new Date(seconds * 1_000);
const record = (result: Omit<CheckResult, 'kind' | 'detail'>) =>
  recordCheck(database.writes, { kind: 'backup', detail: 'a file', ...result });
async function samples() {
  const metrics = new Metrics();
  registerInDatabase(metrics, database.lists, operatorCheckMetrics);
  const found = samplesIn(await metrics.registry.metrics());
  return Object.fromEntries([...found].filter(([name]) => name.startsWith('cadastre_check_')));
}
const success = (kind: string) => `cadastre_check_last_success_timestamp_seconds{kind="${kind}"}`;

test('success: what was never done is of the beginning of time, and has not failed', async () => {
  expect(await samples()).toEqual({
    [success('backup')]: 0,
    [success('restore')]: 0,
    [success('doctor')]: 0,
    [success('ledger')]: 0,
  });
});

test('success: a success counts for the time of its data, and never for an earlier one than before', async () => {
  await record({ at: at(2_000), succeeded: true, goodFor: at(1_500) });
  expect(await samples()).toMatchObject({
    [success('backup')]: 1_500,
    'cadastre_check_failed{kind="backup"}': 0,
  });
  await record({ at: at(3_000), succeeded: true, goodFor: at(1_000) });
  expect(await samples()).toMatchObject({ [success('backup')]: 1_500 });
});

test('failure: a failure is reported, and the last success stays', async () => {
  await record({ at: at(4_000), succeeded: false });
  expect(await samples()).toMatchObject({
    [success('backup')]: 1_500,
    'cadastre_check_failed{kind="backup"}': 1,
  });
});

test('failure: a success of a wrong clock counts for none, and is replaced by the next run', async () => {
  const ahead = new Date(Date.now() + 420 * 86_400_000);
  await record({ at: ahead, succeeded: true });
  expect(await samples()).toMatchObject({ [success('backup')]: 0 });
  await record({ at: at(6_000), succeeded: true, goodFor: at(5_000) });
  expect(await samples()).toMatchObject({ [success('backup')]: 5_000 });
  await record({ at: ahead, succeeded: true });
  await record({ at: at(7_000), succeeded: false });
  await record({ at: at(8_000), succeeded: true, goodFor: at(4_000) });
  expect(await samples()).toMatchObject({ [success('backup')]: 4_000 });
});

test('success: a check that has begun is unfinished until it ends, and counts neither as a failure nor as a success', async () => {
  const unfinished = 'cadastre_check_unfinished{kind="ledger"}';
  const listed = () => listUnfinished(database.writes);
  expect(await listed()).toEqual([]);
  await recordBeginning(database.writes, 'ledger', at(1_000));
  expect(await listed()).toEqual([{ kind: 'ledger', begunAt: at(1_000) }]);
  expect((await samples())[unfinished]).toBe(1);
  expect(Object.keys(await samples()).filter((name) => name.includes('failed{kind="ledger'))).toEqual([]);
  await recordCheck(database.writes, {
    kind: 'ledger',
    at: at(1_060),
    succeeded: false,
    detail: 'disagrees',
  });
  expect(await listed()).toEqual([]);
  expect(await samples()).toMatchObject({ [unfinished]: 0, 'cadastre_check_failed{kind="ledger"}': 1 });
  await recordBeginning(database.writes, 'ledger', at(2_000));
  expect(await listed()).toEqual([{ kind: 'ledger', begunAt: at(2_000) }]);
  await withdrawBeginning(database.writes, 'ledger');
  expect(await listed()).toEqual([]);
  expect((await listChecks(database.writes)).map(({ kind }) => kind)).toEqual(['backup', 'ledger']);
});
