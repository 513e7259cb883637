import type { PaymentProvider } from '../billing/provider/provider.ts';
import { SIMULATOR_PATH } from '../doors/sandbox/provider/simulator.ts';
import type { Config } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { openProvider, type ProviderAddresses } from './open-outside-services.ts';

/** Our own requests use the local address, payers the public one; both are known once the server listens. */
export const simulatorAddresses = (origin: Origin): ProviderAddresses => ({
  url: () => origin.ownUrl + SIMULATOR_PATH,
  linkUrl: () => `${origin.url}${SIMULATOR_PATH}/lp`,
});

/** The payment provider for a command: in the sandbox its own, at the address where it listens. */
export const openOwnProvider = (config: Config): PaymentProvider | undefined =>
  openProvider(config, config.mode === 'sandbox' ? simulatorAddresses(new Origin(config)) : {});
