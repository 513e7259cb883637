import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';

/** Names the home that global-setup.ts has prepared. Processes that tests start inherit it. */
export const PREPARED_HOME = 'CADASTRE_TEST_PREPARED_HOME';

/** A home of one's own for a sandbox. In tests that are not about a first start, its database is made already. */
export function makeHome(place: string, isPrepared = true): string {
  const home = mkdtempSync(path.join(place, 'cadastre-process-'));
  chmodSync(home, 0o711); // as root the database runs under another account, which must be able to come in
  const prepared = process.env[PREPARED_HOME];
  if (isPrepared && prepared !== undefined) execFileSync('cp', ['-Rp', `${prepared}/.`, home]);
  return home;
}
