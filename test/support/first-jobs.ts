import { setTimeout as sleep } from 'node:timers/promises';
import { assembleSandbox } from '../../src/app/sandbox.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../src/platform/logging.ts';
import { sql } from '../../src/platform/sql/statement.ts';
import { connectAsOwner } from './connect-as-owner.ts';

/**
 * A program of global-setup.ts: runs the sandbox on the database that those of registries are copied from until each of
 * its jobs has run once. A registry on a copy need not begin with them all: most of them run every hour or every day.
 */
const WAIT_TIMEOUT_MS = 60_000;

const [address = '', home = ''] = process.argv.slice(2);
const target: EmbeddedAddress = JSON.parse(address);
const closed = { port: 0, metricsPort: 0, eppPort: 'off', dnsPort: 'off', whoisPort: 'off' } as const;
const log = createLog('warn', process.stderr);
const sandbox = await assembleSandbox({ ...readConfig('sandbox', {}), home, ...closed }, target, log);
const owner = await connectAsOwner(target);
const deadline = Date.now() + WAIT_TIMEOUT_MS;
for (;;) {
  const { waiting } = await owner.one(
    sql<{ waiting: string[] }>`select array(select name from jobs where finished_at is null) as waiting`,
  );
  if (waiting.length === 0) break;
  if (Date.now() > deadline) throw new Error(`these jobs did not run: ${waiting.join(', ')}`);
  await sleep(50);
}
await owner.close();
await sandbox.stop();
