import type { Faults } from '../doors/sandbox/faults.ts';
import { openSimulator, SIMULATOR_PATH, type Simulator } from '../doors/sandbox/provider/simulator.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import type { Pool } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import type { Origin } from './origin.ts';
import { type ProviderAddresses, providerKeys } from './provider.ts';

type Parts = {
  readonly config: Config;
  readonly sql: Pool;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly policy: Policy;
  readonly origin: Origin;
  readonly log: Logger;
};

const CALLBACK_PATH = '/api/v1/callback_handler/callback';

/** The provider that the sandbox plays itself. He knows us by the very keys that we use. */
export function simulateProvider({ config, log, policy, origin, ...parts }: Parts): Simulator {
  const keys = providerKeys(config);
  if (!keys) throw new ConfigError('The simulated payment provider has no keys.');
  return openSimulator({
    ...parts,
    ...keys,
    payee: policy.billing.seller.name,
    currency: policy.currency,
    url: () => origin.url + SIMULATOR_PATH,
    callbackUrl: () => origin.ownUrl + CALLBACK_PATH,
    report: (error) => log.error({ err: error }, 'the simulated provider failed'),
  });
}

/** We ask at our own address, payers come by the public one; both are known once the server listens. */
export const simulatorAddresses = (origin: Origin): ProviderAddresses => ({
  url: () => origin.ownUrl + SIMULATOR_PATH,
  linkUrl: () => `${origin.url}${SIMULATOR_PATH}/lp`,
});
