import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Owner } from '../../src/platform/database/database.ts';
import { codeOf } from '../../src/platform/database/database-errors.ts';
import { Cluster } from '../../torture/database/cluster.ts';
import { whyNoMount } from '../../torture/database/small-disk.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { sql } from '../support/sql.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-cluster-'));
chmodSync(home, 0o711); // as root the database runs under another account, which needs access
const noDisks = whyNoMount(path.join(home, 'trial'));

let cluster: Cluster;
/** As a node connects. */
let client: Owner;
beforeAll(async () => {
  const disk = noDisks === undefined ? { dataDiskMb: 128 } : {};
  cluster = await Cluster.open(home, { addressMode: 'hosts', hasStandby: true, ...disk });
  client = await connectAsOwner(cluster.url);
  await client.script('create table kept (number int)');
});
afterAll(async () => {
  await client?.close();
  await cluster?.close(false);
  rmSync(home, { recursive: true, force: true });
});

const insert = (number: number) => client.run(sql`insert into kept values (${number})`);
const kept = async () =>
  (await client.one(sql<{ all: number[] }>`select array_agg(number order by number) as all from kept`)).all;

describe.skipIf(process.platform !== 'linux')('a primary and its standby', () => {
  test('success: acknowledged writes survive each failover, and the client finds the new primary', async () => {
    for (const number of [1, 2]) {
      await insert(number);
      const former = cluster.primary;
      expect(await cluster.failOver()).toBeDefined();
      expect(cluster.primary).not.toBe(former);
    }
    expect(await kept()).toEqual([1, 2]);
  });

  test('success: while the standby is frozen nothing is acknowledged', async () => {
    cluster.standby?.freeze();
    let isAcknowledged = false;
    const inserted = insert(3).then(() => {
      isAcknowledged = true;
    });
    await cluster.withOwner(async (db) => {
      const waits = sql`select from pg_stat_activity where wait_event = 'SyncRep'`;
      while ((await db.rows(waits)).length === 0);
    });
    expect(isAcknowledged).toBe(false);
    cluster.standby?.thaw();
    await inserted;
  });
});

describe.skipIf(noDisks !== undefined)(
  `a full disk${noDisks === undefined ? '' : ` (skipped: ${noDisks})`}`,
  () => {
    test('success: for data an error, for WAL a panic, and both end when space is freed', async () => {
      const { primary } = cluster;
      primary.disks?.data.fill();
      const failure = await client.script('create table large as select * from pg_class').catch(codeOf);
      primary.disks?.data.free();
      expect(failure).toBe('53100');
      primary.disks?.wal.fill();
      const useUp = async () => {
        for (;;) {
          await client.rows(sql`select pg_logical_emit_message(true, 'full', 'full')`);
          await client.rows(sql`select pg_switch_wal()`);
        }
      };
      await expect(useUp()).rejects.toThrow();
      primary.disks?.wal.free();
      await cluster.untilAnswers();
      expect(primary.countInLog(/PANIC: .*No space left on device/g)).toBeGreaterThan(0);
      await insert(4);
      expect(await kept()).toContain(4);
    });
  },
);
