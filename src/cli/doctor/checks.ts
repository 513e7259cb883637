import { backlogCheck } from './backlog.ts';
import { certificatesCheck } from './certificates.ts';
import type { InsideCheck, OutsideCheck } from './check.ts';
import { clockCheck } from './clock.ts';
import { jobsCheck } from './jobs.ts';
import { ledgerCheck } from './ledger.ts';
import { mailCheck } from './mail.ts';
import { pricesCheck } from './prices.ts';
import { providerCheck } from './provider.ts';
import { rightsCheck } from './rights.ts';
import { settingsCheck } from './settings.ts';

/** Everything that `cadastre doctor` examines besides the database itself, in the order in which it is told. */
export const outsideChecks: readonly OutsideCheck[] = [settingsCheck, mailCheck, providerCheck];
export const insideChecks: readonly InsideCheck[] = [
  rightsCheck,
  clockCheck,
  certificatesCheck,
  jobsCheck,
  ledgerCheck,
  pricesCheck,
  backlogCheck,
];
