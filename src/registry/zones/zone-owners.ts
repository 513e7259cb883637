import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy, Zone } from '../../policy/policy.ts';
import { isZoneOrigin } from '../names/name.ts';
import { loadByNames, loadSigners } from './published-domains.ts';
import { apexOwners, labelOf, recordsOf } from './records.ts';
import type { Owner } from './publish-changes.ts';

/** The domains of these names as they are now; one that is gone has no records. */
export async function ownersOf(
  db: Sql,
  zone: Zone,
  policy: Policy,
  names: readonly string[],
): Promise<Owner[]> {
  if (names.length === 0) return [];
  const domains = await loadByNames(db, names);
  const byName = new Map(domains.map((domain) => [domain.name, domain]));
  return names.flatMap((name) => {
    const [domain, label] = [byName.get(name), labelOf(name, zone.origin)];
    if (label === undefined || isZoneOrigin(name, policy)) return [];
    return [{ label, domain: name, records: domain ? recordsOf(domain, policy) : [] }];
  });
}

/** What the policy publishes, and what it no longer does. */
export async function ownersOfPolicy(db: Sql, zone: Zone, policy: Policy): Promise<Owner[]> {
  const wanted = apexOwners(zone, policy, await loadSigners(db));
  const published = await db.rows(sql<{ label: string }>`
    select label from zone_records where zone = ${zone.origin} and domain is null`);
  const labels = new Set([...wanted.keys(), ...published.map(({ label }) => label)]);
  return [...labels].map((label) => ({ label, domain: null, records: wanted.get(label) ?? [] }));
}
