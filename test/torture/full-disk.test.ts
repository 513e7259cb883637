import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDatabase } from '../../src/app/seed.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { ee } from '../../src/policy/ee.ts';
import { Cluster } from '../../torture/database/cluster.ts';
import { whyNoMount } from '../../torture/database/small-disk.ts';
import { type Server, startServe } from '../support/cadastre.ts';
import { alpha, type Reply } from '../support/client.ts';
import { freshCode, newContact } from '../support/contacts.ts';
import { sql } from '../support/sql.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-full-disk-'));
chmodSync(home, 0o711); // as root the database runs under another account, which needs access
const noDisks = whyNoMount(path.join(home, 'trial'));
const MAX_REQUESTS = 2_000;

describe.skipIf(noDisks !== undefined)(
  `serve on a full disk${noDisks === undefined ? '' : ` (skipped: ${noDisks})`}`,
  () => {
    let cluster: Cluster;
    let server: Server;
    const acknowledged: string[] = [];
    beforeAll(async () => {
      cluster = await Cluster.open(home, { addressMode: 'proxy', hasStandby: false, dataDiskMb: 128 });
      await cluster.withOwner(async (db) => {
        await migrate(db, 'production', new Date());
        await seedDatabase(db, ee, new Date());
      });
      server = await startServe(cluster.url, { RATE_LIMIT_PER_MINUTE: '1000000' });
    });
    afterAll(async () => {
      await server?.stop();
      await cluster?.close(false);
      rmSync(home, { recursive: true, force: true });
    });

    const create = async (): Promise<Reply> => {
      const id = freshCode();
      const reply = await alpha(server.url).post('/contacts', newContact({ id }));
      if (reply.status === 200) acknowledged.push(reply.body.data.contact.code);
      return reply;
    };
    /** The first failed answer. */
    const untilRefused = async (): Promise<Reply> => {
      for (let count = 0; count < MAX_REQUESTS; count++) {
        const reply = await create();
        if (reply.status !== 200) return reply;
      }
      throw new Error('the disk never was full');
    };
    /** Segments that were made before the disk was full are used up, so that the next commit needs a new one. */
    const useUpWal = () =>
      cluster
        .withOwner(async (db) => {
          for (;;) {
            await db.rows(sql`select pg_logical_emit_message(true, 'full', 'full')`);
            await db.rows(sql`select pg_switch_wal()`);
          }
        })
        .catch(() => {});
    const expectUnavailable = ({ status, headers, body }: Reply) => {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 2400 });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    };
    const expectAllThere = async () => {
      for (const code of acknowledged)
        expect((await alpha(server.url).get(`/contacts/${encodeURIComponent(code)}`)).status).toBe(200);
    };

    test('failure: for data, a write gets 503 and reads continue; success: as soon as space is freed', async () => {
      expect((await create()).status).toBe(200);
      cluster.primary.disks?.data.fill();
      expectUnavailable(await untilRefused());
      expect(server.output()).toMatch(/"code":"53100"/);
      expect((await alpha(server.url).get('/contacts')).status).toBe(200);
      cluster.primary.disks?.data.free();
      expect((await create()).status).toBe(200);
      await expectAllThere();
    });

    test('failure: for WAL, PostgreSQL panics and requests get 503; success: no acknowledged write is lost', async () => {
      cluster.primary.disks?.wal.fill();
      const [refused] = await Promise.all([untilRefused(), useUpWal()]);
      expectUnavailable(refused);
      await expect
        .poll(() => cluster.primary.countInLog(/PANIC: .*No space left on device/g))
        .toBeGreaterThan(0);
      cluster.primary.disks?.wal.free();
      await cluster.untilAnswers();
      await expect.poll(async () => (await create()).status).toBe(200);
      await expectAllThere();
      expect(server.output()).not.toContain('unexpected error');
    });
  },
);
