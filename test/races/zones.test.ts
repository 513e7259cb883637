import { describe, test } from 'vitest';
import { databaseZones } from '../../src/doors/dns/database-zones.ts';
import { startDnsServer } from '../../src/doors/dns/dns-server.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { ee } from '../../src/policy/ee.ts';
import { checkProjection, rebuildZone } from '../../src/registry/zones/rebuild-zone.ts';
import { isLaterSerial } from '../../src/registry/zones/serial.ts';
import { cadastre, startServe, startWorkProcess } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { DigSecondary } from '../support/dig-secondary.ts';
import { findDnsPrograms } from '../support/dns-programs.ts';
import { KEY } from '../support/dns-server.ts';
import { requestChange } from '../support/domain-requests.ts';
import { Registrant } from '../support/domains.ts';
import { randomOf, seed } from '../support/seed.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { DomainTables, linesOf, Replay, zoneOf } from '../support/zones.ts';

const KILLS = process.env.TORTURE ? 10 : 1;
const CHANGES_PER_KILL = process.env.TORTURE ? 1_000 : 75;
const LIMIT_MS = 600_000;
const NO_LIMIT = { RATE_LIMIT_PER_MINUTE: '1000000' };
const unpacked = findDnsPrograms();

/** What is published, for secondaries; none where there is no dig. */
async function startSecondary(db: Pool): Promise<DigSecondary | undefined> {
  if ('reason' in unpacked) return undefined;
  const server = await startDnsServer({
    host: '127.0.0.1',
    port: 0,
    zones: ['ee'],
    findKey: () => KEY,
    source: databaseZones({ reads: db, lists: db, writes: db }),
    requested: () => {},
    answered: () => {},
    delivered: () => {},
    failed: () => {},
    ended: () => {},
    dropped: () => {},
  });
  onTestFinished(() => server.drain(0));
  return DigSecondary.start(unpacked.root, server.port, 'ee');
}

describe('publication by processes that are killed', () => {
  test(
    'success: two of them, killed while domains change by requests and by SQL: the zone is that of its domains, and secondaries follow',
    async () => {
      const { url, sql: db } = await seededProduction();
      const [random, tables] = [randomOf(seed), new DomainTables(db)];
      const names = Array.from(
        { length: 20 },
        (_, index) => `${index % 4 === 0 ? 'õun' : 'nimi'}${index}.ee`,
      );
      const start = () => startWorkProcess(url);
      const [server, ...first] = await Promise.all([startServe(url, NO_LIMIT), start(), start()]);
      onTestFinished(() => server.stop());
      const registrant = await Registrant.of(alpha(server.url));
      let workers: typeof first = first;
      await expect.poll(() => db.rows(sql`select from zones where zone = 'ee'`)).toHaveLength(1);
      const [follower, early] = [await Replay.of(db, 'ee'), await startSecondary(db)];
      const late = await startSecondary(db);
      let accepted = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const next = start();
        for (let made = 0; made < CHANGES_PER_KILL; made++) {
          if (made % 2 === 0) accepted += Number(await requestChange(registrant, names, random));
          else await tables.change(names, random);
          // The other one continues alone, whatever locks the killed one held.
          if (made === Math.floor(CHANGES_PER_KILL / 2)) workers[kill % 2]?.child.kill('SIGKILL');
        }
        workers = workers.with(kill % 2, await next) as typeof first;
        await early?.follow();
      }
      await expect.poll(() => db.rows(sql`select from zone_marks where zone = 'ee'`)).toEqual([]);
      for (const worker of workers) await worker.kill();
      expect(await checkProjection(db, zoneOf('ee'), ee)).toMatchObject({ count: 0, waiting: 0 });
      expect(await cadastre(['zone', 'check'], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
      expect((await rebuildZone(db, zoneOf('ee'), ee, new Date())).serial).toBeUndefined();

      expect(accepted).toBeGreaterThan((KILLS * CHANGES_PER_KILL) / 10);
      const published = (await linesOf(db, 'ee')).toSorted();
      expect(published.length).toBeGreaterThan(10);
      const serials = await serialsOf(db);
      expect(
        serials.filter((serial, index) => index > 0 && !isLaterSerial(serial, serials[index - 1] ?? 0)),
      ).toEqual([]);
      expect(await follower.follow(db, 'ee')).toBe(serials.length - 1);
      expect(follower.lines).toEqual(published);
      if (!early || !late) return;
      // One has followed all the way, the other takes everything since the first serial at once.
      await early.follow();
      expect(await late.follow()).toBe(serials.length - 1);
      expect([early.serial, late.serial]).toEqual([serials.at(-1), serials.at(-1)]);
      expect(early.lines).toEqual(published);
      expect(late.lines).toEqual(published);
    },
    LIMIT_MS,
  );
});

const serialsOf = async (db: Pool): Promise<number[]> =>
  (await db.rows(sql<{ serial: number }>`select serial from zone_serials where zone = 'ee' order by id`)).map(
    ({ serial }) => serial,
  );
