import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of more than five seconds. One that begins last keeps a worker busy while the others have nothing left to do; a
 * figure that is out of date costs no more than that.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'pages/console.test.ts': 48,
  'billing/callback-flood.test.ts': 26,
  'docs/readme-tour.test.ts': 19,
  'docs/operations.test.ts': 18,
  'doors/http/hostile-clients.test.ts': 18,
  'start/rolling-restart.test.ts': 18,
  'pages/console-day.test.ts': 17,
  'pages/console-login.test.ts': 17,
  'pages/pages.test.ts': 15,
  'performance/bench.test.ts': 15,
  'performance/plans.test.ts': 15,
  'properties/registry-model.test.ts': 15,
  'app/epp.test.ts': 14,
  'commands/backup.test.ts': 14,
  'doors/registrar-api/statuses.test.ts': 14,
  'app/processes/supervisor.test.ts': 13,
  'billing/callback.test.ts': 13,
  'pages/lookup.test.ts': 13,
  'races/payments.test.ts': 13,
  'commands/force-delete.test.ts': 12,
  'packages/shop.test.ts': 12,
  'platform/sql/failover.test.ts': 12,
  'platform/sql/pgbouncer.test.ts': 12,
  'races/epp.test.ts': 12,
  'registry/access/authenticator.test.ts': 12,
  'app/dns.test.ts': 11,
  'commands/wrong-clock.test.ts': 11,
  'doors/console/attacks.test.ts': 11,
  'doors/http/connections.test.ts': 11,
  'doors/pages/confirmation.test.ts': 11,
  'doors/sandbox/deliveries.test.ts': 11,
  'doors/sandbox/mail.test.ts': 11,
  'platform/embedded-postgres/embedded-postgres.test.ts': 11,
  'races/transfers.test.ts': 11,
  'registry/lifecycle/leaving.test.ts': 11,
  'start/frozen-database.test.ts': 11,
  'start/npm.test.ts': 11,
  'start/outliving.test.ts': 11,
  'billing/hazards.test.ts': 10,
  'packages/sdk/package.test.ts': 10,
  'pages/payment.test.ts': 10,
  'doors/http/client-certificate.test.ts': 9,
  'doors/recorded/recorded.test.ts': 9,
  'pages/confirmation.test.ts': 9,
  'races/contacts.test.ts': 9,
  'races/domains.test.ts': 9,
  'start/neighbours.test.ts': 9,
  'billing/exports/einvoice.test.ts': 8,
  'commands/access.test.ts': 8,
  'doors/sandbox/provider-scripts.test.ts': 8,
  'registry/access/failed-logins.test.ts': 8,
  'reservations/reserve-long.test.ts': 8,
  'commands/mail.test.ts': 7,
  'doors/registrar-api/list-turns.test.ts': 7,
  'platform/sql/stale-plans.test.ts': 7,
  'platform/sql/stock-postgresql.test.ts': 7,
  'properties/payments-model.test.ts': 7,
  'races/lifecycle.test.ts': 7,
  'races/webhooks.test.ts': 7,
  'billing/year.test.ts': 6,
  'commands/billing.test.ts': 6,
  'commands/domain.test.ts': 6,
  'doors/dns/server.test.ts': 6,
  'doors/sandbox/controls.test.ts': 6,
  'pages/console-bulk.test.ts': 6,
  'platform/sql/outage.test.ts': 6,
  'platform/sql/replica.test.ts': 6,
  'platform/sql/upgrade.test.ts': 6,
  'races/reservations.test.ts': 6,
  'registry/lifecycle/timeline.test.ts': 6,
  'start/refusals.test.ts': 6,
  'doors/console/rights.test.ts': 5,
  'doors/console/second-factor.test.ts': 5,
  'doors/rdap/processes.test.ts': 5,
  'doors/sandbox/provider.test.ts': 5,
  'pages/trial.test.ts': 5,
  'platform/sql/tls.test.ts': 5,
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const seconds = ({ moduleId }: TestSpecification): number =>
      SECONDS[path.relative(root, moduleId).split(path.sep).slice(1).join('/')] ?? 0;
    // A worker serves one lane: between two it is restarted, so each lane is in one piece.
    return files.toSorted(
      (one, other) =>
        compare(one.project.name, other.project.name) ||
        seconds(other) - seconds(one) ||
        compare(one.moduleId, other.moduleId),
    );
  }
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);
