import type { BankDependencies } from '../billing/bank/import-statement.ts';
import { ownBank } from '../billing/bank/own-bank.ts';
import type { Billing } from '../billing/context.ts';
import type { PollDependencies } from '../billing/payments/poll-provider.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import type { Database } from '../platform/database/database.ts';
import type { Pool } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { effectsOf } from '../reservations/payment-effects.ts';

type Dependencies = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly log: Logger;
  readonly provider: PaymentProvider;
};

/** Assembles billing with its dependencies on other modules: a registrar's money is moved by the registry. */
export function assembleBilling(parts: Dependencies, origin: () => string): Billing & PollDependencies {
  const { database, clock, policy, log, provider, config } = parts;
  const isReturnAllowed = (url: string) =>
    PLAIN_ADDRESS.test(url) &&
    URL.canParse(url) &&
    [originOf(origin()), ...config.allowedReturnOrigins].includes(originOf(url));
  return { database, clock, policy, log, provider, isReturnAllowed, ...effectsOf(policy) };
}

/** URLs whose host every parser reads alike: no user info, and no characters that only some parsers ignore. */
const PLAIN_ADDRESS = /^https?:\/\/[^/?#\\@\s]+(?:[/?#][^\\\s]*)?$/i;

export const bankDependencies = (config: Config, policy: Policy, pool: Pool): BankDependencies => ({
  ...effectsOf(policy),
  ...ownBank(config, policy),
  pool,
  policy,
});

/** The folder that a worker checks for statements, if configured. */
export const statementFolder = (config: Config, policy: Policy, pool: Pool) =>
  config.bankStatementFolder === undefined
    ? undefined
    : { folder: config.bankStatementFolder, bank: bankDependencies(config, policy, pool) };

const originOf = (url: string): string => new URL(url).origin;
