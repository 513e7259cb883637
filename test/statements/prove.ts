/**
 * `npm run statements`: compares what the code says of the rows of its statements with what PostgreSQL says of them, in
 * the forms that tests have met. A form is prepared on an empty database of the newest schema, and never run.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { prepareSimulator } from '../../src/doors/sandbox/provider/simulator.ts';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { type Description, describerOn } from './describe-columns.ts';
import { findContradictions } from './find-contradictions.ts';
import { readForms } from './forms.ts';
import { readCode } from './typed-statements.ts';

const ROOT = path.join(import.meta.dirname, '../..');

async function onMigratedSchema<T>(
  work: (describe: (text: string) => Promise<Description>) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-statements-'));
  chmodSync(home, 0o711); // as root the server runs under another account, which must be able to come in
  const { address, stop } = await startEmbeddedPostgres(home, { settings: { fsync: 'off' } });
  try {
    const owner = await connectAsOwner(address);
    await migrate(owner, 'sandbox', new Date());
    await prepareSimulator(owner);
    await owner.close();
    const client = new pg.Client({ ...address, user: address.username });
    await client.connect();
    try {
      return await work(await describerOn(client));
    } finally {
      await client.end();
    }
  } finally {
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function readProject(): ts.ParsedCommandLine {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const project = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, 'tsconfig.json'), {}, host);
  if (!project) throw new Error('tsconfig.json cannot be read');
  return project;
}

const forms = readForms();
if (forms.length === 0) {
  process.stderr.write('No forms of statements were noted: run npm test first.\n');
  process.exit(1);
}
const { fileNames, options } = readProject();
const files = fileNames.filter((name) => name.startsWith(path.join(ROOT, 'src/')));
const code = readCode(ROOT, files, options);
const found = await onMigratedSchema((describe) => findContradictions(code, forms, describe));
for (const line of found) process.stderr.write(`${line}\n`);
process.stdout.write(
  `${code.statements.length} statements with a type of their rows, ${found.length} contradictions\n`,
);
process.exitCode = found.length === 0 ? 0 : 1;
