import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Names the home that global-setup.ts has prepared. Processes that tests start inherit it. */
export const PREPARED_HOME = 'CADASTRE_TEST_PREPARED_HOME';

/** Where the data of the run lies, if possible in memory; without a run, among the temporary files. */
export const placeOfHomes = (): string =>
  path.dirname(process.env[PREPARED_HOME] ?? path.join(os.tmpdir(), 'home'));

/**
 * A home of one's own for a sandbox. In tests that are not about a first start, its database is made already, or for one
 * on another database at least its certificates.
 */
export function makeHome(place: string, isPrepared: boolean | 'certificates' = true): string {
  const home = mkdtempSync(path.join(place, 'cadastre-process-'));
  chmodSync(home, 0o711); // as root the database runs under another account, which must be able to come in
  const prepared = process.env[PREPARED_HOME];
  const part = isPrepared === 'certificates' ? 'epp' : '.';
  if (isPrepared && prepared !== undefined) execFileSync('cp', ['-Rp', `${prepared}/${part}`, home]);
  return home;
}
