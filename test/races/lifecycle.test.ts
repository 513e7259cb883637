import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openAsOwner, openDatabase } from '../../src/platform/sql/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { runLifecycle } from '../../src/registry/lifecycle/lifecycle.ts';
import { createTestDatabase } from '../support/registry.ts';
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { effectsOf, oncePerDomain, plantDueDomains } from './due-domains.ts';

const TORTURE = Boolean(process.env.TORTURE);
const EACH = TORTURE ? 5_000 : 150;
const OTHERS = TORTURE ? 75_000 : 500;
const KILLS = TORTURE ? 10 : 2;

let running: SandboxProcess | undefined;
afterEach(() => running?.stop());

const advance = ({ url }: SandboxProcess, duration: string) =>
  fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: duration }),
  });

describe('the life of many domains', () => {
  test(`success: killed ${KILLS} times in the middle of it, every effect happens exactly once`, async () => {
    running = await startSandboxProcess();
    const { home } = running;
    const db = openAsOwner(running.database);
    await plantDueDomains(db, { each: EACH }, OTHERS);
    await db.close();
    for (let kill = 1; kill <= KILLS; kill++) {
      const moving = advance(running, 'P3D').catch(() => undefined);
      await setTimeout(100 + kill * 150);
      await running.kill9();
      await moving;
      running = await startSandboxProcess({ home });
    }
    expect((await advance(running, 'P3D')).status).toBe(200);
    const after = openAsOwner(running.database);
    onTestFinished(() => after.close());
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
    const db = openAsOwner(target);
    const open = () =>
      openDatabase(target, { ...readConfig('sandbox', {}), writeConnections: 2 }, ee.timeZone);
    const nodes = [open(), open(), open()];
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await db.close();
      await drop();
    });
    await plantDueDomains(db, { each: EACH });
    const later = new Date(Date.now() + 2.5 * 86_400_000);
    await Promise.all(nodes.map((node) => runLifecycle(node, later, ee, false)));
    for (const node of nodes) await runLifecycle(node, later, ee, false);
    expect(await effectsOf(db)).toEqual(oncePerDomain(EACH));
  }, 600_000);
});
