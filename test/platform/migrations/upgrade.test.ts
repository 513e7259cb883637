import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { seedDatabaseWithin } from '../../../src/app/seed.ts';
import { ee } from '../../../src/policy/ee.ts';
import { type RunningRelease, rehearseUpgrade } from '../../../torture/upgrade/rehearse.ts';
import type { Settings } from '../../../torture/upgrade/release-process.ts';
import { makeNextRelease, nextReleaseHere, THIS_TREE } from '../../../torture/upgrade/release-tree.ts';
import { productionDatabase, startServe, startWork } from '../../support/cadastre.ts';
import { placeOfData } from '../../support/global-setup.ts';
import { quicklyHashedSeedLogins } from '../../support/quick-passwords.ts';
import { sql } from '../../support/sql.ts';
import { onTestFinished } from '../../support/this-test.ts';

const IS_LONG = process.env.TORTURE !== undefined;
const LONG_READER_MS = 15_000;
/** A request that waits for the long reader takes as long as that, or fails; the bound allows for a busy machine. */
const MAX_REQUEST_MS = 10_000;

/** The old release runs in this process, which has loaded it already; the new one has only its migrations from elsewhere. */
const shortForm = (url: string, folder: string) => ({
  from: (settings: Settings) => startHere(url, settings),
  startsEarly: true,
  to: THIS_TREE,
  toSettings: nextReleaseHere(folder),
  writers: 2,
  readers: 2,
  restMs: 50,
  maxLockAttempts: 2,
});
const longForm = (folder: string) => ({
  from: THIS_TREE,
  to: makeNextRelease(folder),
  writers: 6,
  readers: 6,
  restMs: 4_000,
});

async function startHere(url: string, settings: Settings): Promise<RunningRelease> {
  const [one, two, worker] = await Promise.all([
    startServe(url, settings),
    startServe(url, settings),
    startWork(url, settings),
  ]);
  const withLog = <S extends { output(): string }>(started: S): S & { readonly printed: string } =>
    Object.defineProperty(started as S & { printed: string }, 'printed', { get: () => started.output() });
  return { servers: [withLog(one), withLog(two)], worker: withLog(worker) };
}

describe('an upgrade under load', { timeout: 180_000 }, () => {
  test('success: no request fails, no server turns unready, and none waits for the long reader', async () => {
    const folder = mkdtempSync(path.join(placeOfData(), 'cadastre-next-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { url, sql: db } = await productionDatabase();
    const logins = await quicklyHashedSeedLogins();
    await db.begin((transaction) => seedDatabaseWithin(transaction, ee, new Date(), logins));
    const report = await rehearseUpgrade({
      databaseUrl: url,
      longReaderMs: LONG_READER_MS,
      ...(IS_LONG ? longForm(path.join(folder, 'next')) : shortForm(url, path.join(folder, 'migrations'))),
    });
    process.stderr.write(`upgrade under load: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ failed: [], lost: 0, unready: 0, unexpected: [] });
    expect(report.requests).toBeGreaterThan(30);
    expect(report.registered).toBeGreaterThan(0);
    for (const { longestRequestMs } of report.phases) expect(longestRequestMs).toBeLessThan(MAX_REQUEST_MS);
    const applied = db.rows(
      sql`select count(*)::int as count from schema_migrations where name like 'next%'`,
    );
    expect(await applied).toEqual([{ count: 4 }]);
    expect(await db.rows(sql`select from domains where next_note is null`)).toEqual([]);
  });
});
