import { describe, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { checkProjection } from '../../src/registry/zones/rebuild-zone.ts';
import { productionDatabase, startWorkProcess } from '../support/cadastre.ts';
import { randomOf, seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';
import { DomainTables, linesOf, Replay, zoneOf } from '../support/zones.ts';

const KILLS = process.env.TORTURE ? 10 : 2;
const CHANGES_PER_KILL = process.env.TORTURE ? 500 : 60;

describe('publication by processes that are killed', () => {
  test('success: two of them, killed while domains change: every change is in one serial, and none is lost', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(
      sql`insert into registrars (code, name, website, created_at) values ('ZONES', 'Zones', 'https://zones.example', now())`,
    );
    const names = Array.from({ length: 20 }, (_, index) => `${index % 4 === 0 ? 'õ' : 'n'}${index}.ee`);
    const [random, tables] = [randomOf(seed), new DomainTables(db)];
    const start = () => startWorkProcess(url);
    let workers = await Promise.all([start(), start()]);
    await expect.poll(() => db.rows(sql`select from zones where zone = 'ee'`)).toHaveLength(1);
    const follower = await Replay.of(db, 'ee');
    for (let kill = 0; kill < KILLS; kill++) {
      const changes = async () => {
        for (let made = 0; made < CHANGES_PER_KILL; made++) {
          await tables.change(names, random);
          // The other one goes on alone, whatever the killed one held.
          if (made === Math.floor(CHANGES_PER_KILL / 2)) workers[kill % 2]?.child.kill('SIGKILL');
        }
      };
      const next = start();
      await changes();
      workers = workers.with(kill % 2, await next) as typeof workers;
    }
    await expect.poll(() => db.rows(sql`select from zone_marks where zone = 'ee'`)).toEqual([]);
    expect(await checkProjection(db, zoneOf('ee'), ee)).toMatchObject({ count: 0, waiting: 0 });
    expect(await follower.follow(db, 'ee')).toBeGreaterThan(0);
    expect(follower.lines).toEqual((await linesOf(db, 'ee')).toSorted());
    for (const worker of workers) await worker.kill();
  });
});
