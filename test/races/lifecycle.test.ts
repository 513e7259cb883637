import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { runLifecycle } from '../../src/registry/lifecycle/run-lifecycle.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { createTestDatabase } from '../support/registry.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { effectsOf, oncePerDomain, plantDueDomains } from './due-domains.ts';
import { RaceDatabase } from './race-database.ts';

const TORTURE = Boolean(process.env.TORTURE);
const EACH = TORTURE ? 5_000 : 60;
/** More than the lifecycle takes at once. */
const MANY = TORTURE ? 5_000 : 300;
const OTHERS = TORTURE ? 75_000 : 200;
const KILLS = TORTURE ? 10 : 1;

const advance = ({ url }: SandboxProcess, duration: string) =>
  fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: duration }),
  });

describe('the lifecycle of many domains', () => {
  test('success: killed in the middle of it, every effect happens exactly once', async () => {
    const database = await RaceDatabase.create();
    onTestFinished(() => database.end());
    await plantDueDomains(database.sql, { each: EACH }, OTHERS);
    let running = await database.start();
    for (let kill = 1; kill <= KILLS; kill++) {
      const moving = advance(running, 'P3D').catch(() => undefined);
      await setTimeout(100 + kill * 150);
      await running.kill9();
      await moving;
      running = await database.start();
    }
    expect((await advance(running, 'P3D')).status).toBe(200);
    const after = database.sql;
    expect(await effectsOf(after)).toEqual(oncePerDomain(EACH));
    const [left] = await after.rows(sql`
      select (select count(*)::int from domains d join due_domains x using (id) where x.kind = 'purge') as purged,
        (select count(*)::int from removed_objects where object_kind = 'domain') as remembered`);
    expect(left?.purged).toBe(0);
    expect(left?.remembered).toBeGreaterThanOrEqual(EACH);
    expect(await checkLedger(after)).toEqual([]);
  }, 600_000);

  test('success: several workers at once take each step once', async () => {
    const { name, drop } = await createTestDatabase();
    const target = { ...inject('server'), database: name };
    const db = await connectAsOwner(target);
    const open = () =>
      openDatabase(target, { ...readConfig('sandbox', {}), writeConnections: 2 }, ee.timeZone);
    const nodes = [open(), open(), open()];
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await db.close();
      await drop();
    });
    await plantDueDomains(db, { each: MANY });
    const later = new Date(Date.now() + 2.5 * 86_400_000);
    await Promise.all(nodes.map((node) => runLifecycle(node, later, ee, false)));
    for (const node of nodes) await runLifecycle(node, later, ee, false);
    expect(await effectsOf(db)).toEqual(oncePerDomain(MANY));
  }, 600_000);
});
