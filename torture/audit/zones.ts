import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { policy } from '../../src/policy/installed.ts';
import { compareWithDomains } from '../../src/registry/zones/rebuild-zone.ts';
import { zoneFileLine } from '../../src/registry/zones/zone-record.ts';
import { readSerial, readSoa } from '../../src/registry/zones/zone-store.ts';

/** What is published is what the domains say, and a zone has the serial of its newest change. */
export async function auditZones(db: Sql): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const zone of policy.zones) {
    const serial = await readSerial(db, zone.origin);
    if (serial === undefined) continue;
    const newest = (await readSoa(db, zone.origin))?.data.serial;
    if (newest !== serial)
      findings.push({
        finding: 'a zone has another serial than its newest change',
        subject: zone.origin,
        expected: String(newest),
        found: String(serial),
      });
    const { differences } = await compareWithDomains(db, zone, policy);
    for (const { domain, added, removed } of differences)
      findings.push({
        finding: 'the zone is not what its domains say',
        subject: domain ?? zone.origin,
        expected: added.map(zoneFileLine).join('; ') || 'no such records',
        found: removed.map(zoneFileLine).join('; ') || 'none of these records',
      });
  }
  return findings;
}
