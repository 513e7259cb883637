import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openAsOwner } from '../platform/database/database.ts';
import { identifier, sql } from '../platform/sql/statement.ts';
import { identity, setOwner } from './account.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { EmbeddedError, hasCode, sentenceOf } from './errors.ts';
import { serverEnvironment } from './launch.ts';

export const superuser = 'cadastre';
export const database = 'cadastre';

const unfinished = 'unfinished-';
const duplicateDatabase = '42P04';
const uniqueViolation = '23505';

/** Creates the data directory on the first start; under a temporary name until it is complete. */
export async function createCluster(
  location: ClusterLocation,
  binaries: string,
  isSynced: boolean,
): Promise<void> {
  if (existsSync(join(location.data, 'PG_VERSION'))) return;
  for (const name of readdirSync(location.directory).filter((entry) => entry.startsWith(unfinished))) {
    rmSync(join(location.directory, name), { recursive: true, force: true });
  }
  const made = mkdtempSync(join(location.directory, unfinished));
  setOwner(location.account, made);
  try {
    await initialise(made, location, binaries, isSynced);
    renameSync(made, location.data);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw new EmbeddedError(`The database could not be made in ${location.directory}: ${sentenceOf(error)}`);
  }
}

/** Uses PostgreSQL's own collation and case rules, so that every system sorts alike. */
async function initialise(
  directory: string,
  location: ClusterLocation,
  binaries: string,
  isSynced: boolean,
): Promise<void> {
  const collation = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const access = [`--username=${superuser}`, '--auth-local=trust', '--auth-host=reject'];
  const options = [...collation, ...access, '--data-checksums', '--no-instructions'];
  if (!isSynced) options.push('--no-sync');
  await promisify(execFile)(join(binaries, 'bin/initdb'), ['-D', directory, ...options], {
    ...identity(location.account),
    cwd: location.directory,
    env: serverEnvironment,
  });
}

export async function createDatabase(host: string, port: number): Promise<void> {
  const server = openAsOwner({ host, port, username: superuser, database: 'postgres' });
  try {
    const found = await server.maybe(sql`select 1 from pg_database where datname = ${database}`);
    if (found === undefined) await server.run(sql`create database ${identifier(database)}`);
  } catch (error) {
    // In an adopted server the statement of the killed process may still have completed.
    if (!hasCode(error, duplicateDatabase, uniqueViolation)) throw error;
  } finally {
    await server.close();
  }
}
