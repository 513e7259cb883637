import type { Faults } from '../doors/sandbox/faults.ts';
import { openSimulator, SIMULATOR_PATH, type Simulator } from '../doors/sandbox/provider/simulator.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Origin } from '../platform/config/origin.ts';
import type { Logger } from '../platform/logging.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import type { JobDependencies } from './job-definitions.ts';
import { providerKeys } from './open-outside-services.ts';

type Dependencies = {
  readonly config: Config;
  readonly sql: Pool;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly policy: Policy;
  readonly origin: Origin;
  readonly log: Logger;
};

const CALLBACK_PATH = '/api/v1/callback_handler/callback';

/** The sandbox's simulated provider, with the same credentials as our client. */
export function simulateProvider({ config, log, policy, origin, ...parts }: Dependencies): Simulator {
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

/** The callbacks that it owes, as work of a job. */
export const callbacksOf = (simulator: Simulator): NonNullable<JobDependencies['simulated']> => ({
  run: (now) => simulator.sendDueCallbacks(now),
  next: () => simulator.nextCallback(),
  // The tables of the provider are its own: the registry's login cannot read them.
  hasWork: async (now) => {
    const next = await simulator.nextCallback();
    return sql`${next !== undefined && next <= now}::boolean`;
  },
});
