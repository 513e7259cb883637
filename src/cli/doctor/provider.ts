import { ProviderRefused } from '../../billing/provider/provider.ts';
import { Origin } from '../origin.ts';
import { openProvider } from '../provider.ts';
import { simulatorAddresses } from '../sandbox-provider.ts';
import { fine, type OutsideCheck, problem } from './check.ts';

/** No payment has it. The provider is asked about it, which changes nothing. */
const NOBODYS_REFERENCE = 'cadastre-doctor';

export const providerCheck: OutsideCheck = {
  name: 'payment provider',
  async examine(config) {
    const own = config.mode === 'sandbox' ? simulatorAddresses(new Origin(config)) : {};
    const provider = openProvider(config, own);
    // That it is not set is told with the settings.
    if (!provider) return [];
    try {
      await provider.payment(NOBODYS_REFERENCE);
      return [fine('answers, and takes our login')];
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return error instanceof ProviderRefused
        ? [
            problem(
              `It refuses our question (${said}).`,
              'Check PROVIDER_USER, PROVIDER_SECRET and PROVIDER_URL.',
            ),
          ]
        : [
            problem(
              `${said} Nobody can pay.`,
              config.mode === 'sandbox'
                ? 'Run the doctor with the PORT of the sandbox.'
                : 'Check PROVIDER_URL, and whether this machine may reach it.',
            ),
          ];
    }
  },
};
