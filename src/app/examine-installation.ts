import { explain } from '../commands/terminal/explain.ts';
import { withWholeDatabase } from '../commands/terminal/with-database.ts';
import { type DoctorFinding, examine } from '../doctor/doctor.ts';
import { policy } from '../policy/installed.ts';
import { caKeys } from '../registry/certificates/ca-keys.ts';
import { dueTimesOf } from './list-due-times.ts';
import { openOwnProvider } from './simulator-addresses.ts';

/** Runs the doctor's checks on the configured installation. */
export const examineInstallation = (): Promise<DoctorFinding[]> =>
  examine({
    withDatabase: withWholeDatabase,
    explain,
    findAuthorityKey: (config, fingerprint) => caKeys(config).find({ fingerprint }),
    dueTimes: dueTimesOf(policy),
    openProvider: openOwnProvider,
  });
