import type { TimeOfDay } from '../billing/exports/accounting/export-paid-top-ups.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Policy } from '../policy/policy.ts';
import { caKeys } from '../registry/certificates/ca-keys.ts';
import { statementFolder } from './assemble-billing.ts';

type Dependencies = {
  readonly config: Config;
  readonly policy: Policy;
  readonly database: Pick<Database, 'writes'>;
};

/** What the settings say about jobs. A copy for staging reads no statements, and exports nothing. */
export const jobSettings = ({ config, policy, database }: Dependencies, isStaging: boolean) => ({
  paymentLookupsPerSecond: config.paymentLookupsPerSecond,
  authorityKeys: caKeys(config).find,
  statements: isStaging ? undefined : statementFolder(config, policy, database.writes),
  accountingExportAt: isStaging ? undefined : exportTime(config),
});

/**
 * When top-ups are exported automatically. Without an accounting service exports must not pile up; the sandbox
 * simulates one.
 */
const exportTime = ({ mode, accountingUrl, accountingExportAt }: Config): TimeOfDay | undefined =>
  mode === 'sandbox' || accountingUrl !== undefined ? accountingExportAt : undefined;
