import { explain } from '../commands/terminal/explain.ts';
import { type DoctorFinding, examine } from '../doctor/doctor.ts';
import { Origin } from './origin.ts';
import { openProvider } from './outside-services.ts';
import { simulatorAddresses } from './sandbox.ts';
import { withWholeDatabase } from './with-database.ts';

/** The doctor's checks on the installation that the settings name. */
export const examineInstallation = (): Promise<DoctorFinding[]> =>
  examine({
    withDatabase: withWholeDatabase,
    explain,
    openProvider: (config) =>
      openProvider(config, config.mode === 'sandbox' ? simulatorAddresses(new Origin(config)) : {}),
  });
