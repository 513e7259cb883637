import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { findLagging, type SecondaryLag } from '../registry/secondaries/secondary-lag.ts';
import { isLaterSerial } from '../registry/zones/serial.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

/** A secondary follows within seconds; NOTIFY is repeated for about ten minutes. */
const MAX_DELAY_MINUTES = 10;

/** Whether every secondary has what is published. */
export const secondariesCheck: DatabaseCheck = {
  name: 'DNS secondaries',
  async examine({ sql: db }) {
    const { count } = await db.one(
      sql<{ count: number }>`select count(*)::int as count from dns_secondaries where removed_at is null`,
    );
    if (count === 0) return [];
    const lagging = await findLagging(db, MAX_DELAY_MINUTES);
    if (lagging.length > 0) return lagging.map(describe);
    // Too early for a warning, and too early to call it well.
    const names = await findWithoutTransfer(db);
    return [
      ok(
        names.length === 0
          ? 'every secondary has what is published'
          : `not transferred yet by ${names.join(', ')}; no secondary has been behind for ${MAX_DELAY_MINUTES} minutes`,
      ),
    ];
  },
};

/** The secondaries that have never transferred some zone. */
async function findWithoutTransfer(db: Sql): Promise<string[]> {
  const rows = await db.rows(sql<{ name: string }>`
    select distinct s.name from dns_secondaries s cross join zones z
    where s.removed_at is null and not exists (
      select from dns_secondary_serials h where h.secondary_id = s.id and h.zone = z.zone)
    order by s.name`);
  return rows.map(({ name }) => name);
}

function describe({ secondary, zone, has, askedAt, serial, behind }: SecondaryLag): Finding {
  if (askedAt !== null && behind === 0)
    return warning(
      `The secondary ${secondary} asks for the serial of ${zone} and has not transferred it: it has the zone already, or cannot transfer it.`,
      `Compare: cadastre zone check ${zone} --server ADDRESS --key KEY`,
    );
  if (has !== null && isLaterSerial(has, serial))
    return warning(
      `The secondary ${secondary} has serial ${has} of ${zone}, which is later than ${serial}, and takes nothing that is published.`,
      `Publish a later one: cadastre zone raise ${zone} --above ${has}`,
    );
  const state =
    askedAt !== null
      ? `asks for the serial of ${zone} and has transferred none of ${behind} that were published since`
      : has === null
        ? `has never transferred ${zone}`
        : `has serial ${has} of ${zone}, and ${serial} is published, ${behind} serials later`;
  return warning(
    `The secondary ${secondary} ${state}.`,
    'Look at its log and at cadastre_dns_notifications_total; a server without keys, or behind a firewall, cannot follow.',
  );
}
