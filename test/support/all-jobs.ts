import { type JobDefinition, type JobDependencies, lanesOf } from '../../src/app/job-definitions.ts';
import { deliveryTargets } from '../../src/billing/deliveries/document-deliveries.ts';
import { ee } from '../../src/policy/ee.ts';

/** Every job that any installation can have. Nothing of it is run. */
export function allJobs(): readonly JobDefinition[] {
  const part = {};
  const parts = {
    database: part,
    policy: ee,
    mailer: part,
    webhooks: part,
    billing: part,
    statements: part,
    senders: Object.fromEntries(deliveryTargets.map((target) => [target, part])),
    mailRetentionDays: 30,
    accountingExportAt: '19:00',
  };
  return lanesOf(parts as unknown as JobDependencies).flat();
}
