import { SIMULATOR_PATH } from '../doors/sandbox/provider/simulator.ts';
import type { Origin } from './origin.ts';
import type { ProviderAddresses } from './outside-services.ts';

/** Our own requests use the local address, payers the public one; both are known once the server listens. */
export const simulatorAddresses = (origin: Origin): ProviderAddresses => ({
  url: () => origin.ownUrl + SIMULATOR_PATH,
  linkUrl: () => `${origin.url}${SIMULATOR_PATH}/lp`,
});
