import { explain } from '../commands/terminal/explain.ts';
import { type DoctorFinding, examine } from '../doctor/doctor.ts';
import { policy } from '../policy/installed.ts';
import { caKeys } from './ca-keys.ts';
import { dueTimesOf } from './due-times.ts';
import { Origin } from './origin.ts';
import { openProvider } from './outside-services.ts';
import { simulatorAddresses } from './simulator-addresses.ts';
import { withWholeDatabase } from './with-database.ts';

/** Runs the doctor's checks on the configured installation. */
export const examineInstallation = (): Promise<DoctorFinding[]> =>
  examine({
    withDatabase: withWholeDatabase,
    explain,
    findAuthorityKey: (config, fingerprint) => caKeys(config).find({ fingerprint }),
    dueTimes: dueTimesOf(policy),
    openProvider: (config) =>
      openProvider(config, config.mode === 'sandbox' ? simulatorAddresses(new Origin(config)) : {}),
  });
