import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts';
import { fillDatabase } from './upgrade/fill-database.ts';
import { rehearseUpgrade } from './upgrade/rehearse.ts';
import { runCommand } from './upgrade/release-process.ts';
import { makeNextRelease, THIS_TREE } from './upgrade/release-tree.ts';

const HELP = `npm run rehearse:upgrade -- [--from FOLDER] [--to FOLDER] [--seconds 20] [--domains 0] [--servers-first]
  --from      a clone of the old version, with its packages installed; this one, if not given
  --to        a clone of the new version; if not given, a made-up next release of this one, with new columns,
              an index and a batch
  --seconds   about how long the servers are under load, up to 120
  --domains   how many domains are in the registry before
  --servers-first   replaces the processes before the migration`;

const MAX_SECONDS = 120;
const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: THIS_TREE },
    to: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    domains: { type: 'string', default: '0' },
    'servers-first': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run(): Promise<number> {
  const [seconds, domains] = [Number(values.seconds), Number(values.domains)];
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new Error(`--seconds must be above 0 and at most ${MAX_SECONDS}`);
  if (!(Number.isInteger(domains) && domains >= 0)) throw new Error('--domains must be a whole number');
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-upgrade-'));
  chmodSync(home, 0o711); // as root the database runs under another account, which needs access
  await using used = new AsyncDisposableStack();
  used.defer(() => rmSync(home, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres(home);
  used.defer(() => server.stop());
  const { host, port, username, database } = server.address;
  const databaseUrl = `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const to = values.to ?? makeNextRelease(path.join(home, 'next'));
  await runCommand(values.from, 'migrate', { DATABASE_URL: databaseUrl, CADASTRE_HOME: home });
  if (domains > 0) say(`loading ${domains} domains`);
  await fillDatabase(values.from, server.address, domains);
  const report = await rehearseUpgrade({
    databaseUrl,
    from: values.from,
    to,
    writers: 4,
    readers: 4,
    say,
    serversFirst: values['servers-first'],
    restMs: (seconds * 1_000) / 10,
    longReaderMs: (seconds * 1_000) / 2,
  });
  const { failed, unexpected, ...figures } = report;
  console.log(JSON.stringify({ ...figures, failed: failed.length, unexpected: unexpected.length }, null, 2));
  for (const line of [...failed, ...unexpected].slice(0, 50)) console.log(line);
  return failed.length + unexpected.length + report.lost + report.unready === 0 ? 0 : 1;
}

if (values.help) console.log(HELP);
else process.exitCode = await run();
