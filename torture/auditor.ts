import { checkLedger, type Finding } from '../src/ledger/check-ledger.ts';
import { storedClock } from '../src/platform/clock/movable-clock.ts';
import { openAsOwner } from '../src/platform/database/database.ts';
import type { Sql } from '../src/platform/sql/executor.ts';
import { sql } from '../test/support/sql.ts';
import { auditFeeds } from './audit/feed.ts';
import { auditInvoices, auditPayments } from './audit/billing.ts';
import { auditBulkJobs } from './audit/bulk-jobs.ts';
import { auditCounts } from './audit/counts.ts';
import { auditEppRecords } from './audit/epp.ts';
import { auditMessages } from './audit/messages.ts';
import { auditMoneyMessages } from './audit/money-messages.ts';
import { auditNames } from './audit/names.ts';
import { auditObjects } from './audit/objects.ts';
import { auditWebhooks } from './audit/webhooks.ts';
import { auditZones } from './audit/zones.ts';

/**
 * Checks the invariants of a quiescent database: ledger equals history equals objects, one owner per name,
 * no lost message or event, zones equal to their domains, our books equal to the provider's where it is simulated. No finding means that all hold.
 */
export async function audit(db: Sql): Promise<Finding[]> {
  const now = (await storedClock(db)).now();
  const [simulated] = await db.rows(sql`select from pg_namespace where nspname = 'provider_simulator'`);
  return [
    ...(await checkLedger(db)),
    ...(await auditObjects(db)),
    ...(await auditCounts(db)),
    ...(await auditBulkJobs(db)),
    ...(await auditNames(db, now)),
    ...(await auditMessages(db)),
    ...(await auditMoneyMessages(db)),
    ...(await auditEppRecords(db)),
    ...(await auditInvoices(db)),
    ...(await auditZones(db)),
    ...(await auditWebhooks(db, now)),
    ...(await auditFeeds(db, now)),
    ...(simulated ? await auditPayments(db) : []),
  ];
}

/** node torture/auditor.ts postgres://…: the audit of any database, by itself. */
async function run(url: string): Promise<number> {
  const db = openAsOwner(url);
  try {
    const findings = await audit(db);
    for (const { finding, subject, expected, found } of findings)
      console.log(`${finding}: ${subject}\n  expected ${expected}\n  found    ${found}`);
    console.log(findings.length === 0 ? 'No finding.' : `${findings.length} findings.`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}

if (import.meta.main) {
  const [url] = process.argv.slice(2);
  if (url === undefined) throw new Error('node torture/auditor.ts postgres://…');
  process.exitCode = await run(url);
}
