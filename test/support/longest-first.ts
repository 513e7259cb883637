import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of more than five seconds. One that begins last keeps a worker busy while the others have nothing left to do; a
 * figure that is out of date costs no more than that.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'pages/confirmation.test.ts': 29,
  'performance/quick.test.ts': 27,
  'docs/operations.test.ts': 27,
  'doors/sandbox/mail.test.ts': 25,
  'docs/readme-tour.test.ts': 25,
  'performance/bench.test.ts': 23,
  'doors/http/hostile-clients.test.ts': 21,
  'platform/sql/outage.test.ts': 20,
  'pages/payment.test.ts': 19,
  'pages/pages.test.ts': 19,
  'performance/hostile.test.ts': 18,
  'doors/sandbox/controls.test.ts': 18,
  'platform/sql/pgbouncer.test.ts': 16,
  'doors/sandbox/deliveries.test.ts': 16,
  'pages/foreign-pages.test.ts': 15,
  'platform/embedded-postgres/embedded-postgres.test.ts': 13,
  'commands/mail.test.ts': 13,
  'races/lifecycle.test.ts': 12,
  'commands/backup.test.ts': 9,
  'commands/zone.test.ts': 7,
  'races/zones.test.ts': 6,
  'doors/http/connections.test.ts': 12,
  'billing/callback.test.ts': 11,
  'doors/registrar-api/statuses.test.ts': 10,
  'app/production.test.ts': 10,
  'properties/registry-model.test.ts': 9,
  'platform/sql/inside-transactions.test.ts': 9,
  'platform/sql/failover.test.ts': 9,
  'performance/plans.test.ts': 9,
  'pages/mail.test.ts': 9,
  'doors/pages/confirmation.test.ts': 9,
  'commands/delivery.test.ts': 8,
  'doors/billing-api/bulk.test.ts': 7,
  'start/frozen-database.test.ts': 7,
  'races/transfers.test.ts': 7,
  'races/payments.test.ts': 7,
  'races/domains.test.ts': 7,
  'commands/access.test.ts': 7,
  'billing/year.test.ts': 7,
  'start/refusals.test.ts': 6,
  'properties/domains.fuzz.test.ts': 6,
  'properties/contacts.fuzz.test.ts': 6,
  'doors/registrar-api/list-turns.test.ts': 6,
  'commands/wrong-clock.test.ts': 6,
  'billing/callback-flood.test.ts': 6,
  'platform/sql/upgrade.test.ts': 5,
  'doors/reservation-api/long-reservations.test.ts': 5,
  'doors/reservation-api/access.test.ts': 5,
  'platform/sql/lost-transactions.test.ts': 5,
  'doors/sandbox/request-guard.test.ts': 5,
  'commands/billing.test.ts': 5,
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const seconds = ({ moduleId }: TestSpecification): number =>
      SECONDS[path.relative(root, moduleId).split(path.sep).slice(1).join('/')] ?? 0;
    // A worker serves one lane: between two it begins anew, so each lane is in one piece.
    return files.toSorted(
      (one, other) =>
        compare(one.project.name, other.project.name) ||
        seconds(other) - seconds(one) ||
        compare(one.moduleId, other.moduleId),
    );
  }
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);
