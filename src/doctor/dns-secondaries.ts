import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { hasSecondaryTables } from '../registry/secondaries/secondaries.ts';
import { hasZoneTables } from '../registry/zones/zone-store.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

type Behind = {
  readonly secondary: string;
  readonly zone: string;
  readonly has: number | null;
  readonly serial: number;
};

/** A secondary follows within seconds; NOTIFY is repeated for about ten minutes. */
const MAX_DELAY_MINUTES = 10;

/** Whether every secondary has what is published. */
export const secondariesCheck: DatabaseCheck = {
  name: 'DNS secondaries',
  async examine({ sql: db }) {
    if (!(await hasSecondaryTables(db)) || !(await hasZoneTables(db))) return [];
    const { count } = await db.one(
      sql<{ count: number }>`select count(*)::int as count from dns_secondaries where removed_at is null`,
    );
    if (count === 0) return [];
    const behind = await findBehind(db);
    return behind.length === 0 ? [ok('every secondary has what is published')] : behind.map(describe);
  },
};

/** Zones that were published long enough ago, and are not what the secondary is known to have. */
const findBehind = (db: Sql): Promise<Behind[]> =>
  db.rows(sql<Behind>`
    select s.name as secondary, z.zone, h.serial as has, z.serial
    from dns_secondaries s cross join zones z
      left join dns_secondary_serials h on h.secondary_id = s.id and h.zone = z.zone
    where s.removed_at is null and h.serial is distinct from z.serial
      and greatest(z.published_at, s.created_at) < clock_timestamp() - make_interval(mins => ${MAX_DELAY_MINUTES}::int)
    order by s.name, z.zone`);

function describe({ secondary, zone, has, serial }: Behind): Finding {
  const state =
    has === null
      ? `has never transferred ${zone}`
      : `has serial ${has} of ${zone}, and ${serial} is published`;
  return warning(
    `The secondary ${secondary} ${state}.`,
    'Look at its log and at cadastre_dns_notifications_total; a server without keys, or behind a firewall, cannot follow.',
  );
}
