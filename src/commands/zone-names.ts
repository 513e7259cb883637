import type { Sql } from '../platform/sql/executor.ts';
import { policy } from '../policy/installed.ts';
import type { Zone } from '../policy/policy.ts';
import { hasZoneTables } from '../registry/zones/zone-store.ts';
import { CommandError } from './terminal/output.ts';

/** One of our zones, or an error that lists them. */
export function zoneNamed(text: string): Zone {
  const zone = policy.zones.find(({ origin }) => origin === text);
  if (zone) return zone;
  throw new CommandError(
    `${text} is no zone of this registry; there are ${policy.zones.map(({ origin }) => origin).join(', ')}.`,
  );
}

export async function requirePublication(db: Sql): Promise<void> {
  if (!(await hasZoneTables(db)))
    throw new CommandError('The schema is older than this program; run cadastre migrate first.');
}
