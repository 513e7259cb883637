import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type SecondaryRow = {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Those that are valid, oldest first. */
  readonly keys: readonly string[];
  /** By zone, what it is known to have; null if it asked and did not tell. */
  readonly serials: Readonly<Record<string, number | null>>;
  readonly lastSeen: Date | null;
  readonly since: Date;
};

export function listSecondaries(db: Sql): Promise<SecondaryRow[]> {
  return db.rows(sql<SecondaryRow>`
    select s.name, host(s.address) as address, s.port,
      array(select k.name from dns_keys k where k.secondary_id = s.id and k.revoked_at is null order by k.id) as keys,
      coalesce(z.serials, '{}') as serials, z.at as "lastSeen", s.created_at as since
    from dns_secondaries s left join lateral (
      select jsonb_object_agg(zone, serial) as serials, max(at) as at from dns_secondary_serials where secondary_id = s.id) z on true
    where s.removed_at is null order by s.name`);
}

/** Notes what a secondary has. Older reports than the stored one are ignored, since they may arrive late. */
export async function recordSecondarySerial(
  db: Sql,
  { secondary, zone, serial, at }: { secondary: string; zone: string; serial: number; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into dns_secondary_serials (secondary_id, zone, serial, at)
    select id, ${zone}, ${serial}, ${at} from dns_secondaries where name = ${secondary} and removed_at is null
    on conflict (secondary_id, zone) do update set serial = excluded.serial, at = excluded.at
    where dns_secondary_serials.at <= excluded.at`);
}

/** Notes that a secondary has asked for the serial, once: what it has stays unknown until it transfers. */
export async function recordSecondaryQuery(
  db: Sql,
  { secondary, zone, at }: { secondary: string; zone: string; at: Date },
): Promise<void> {
  await db.run(sql`
    insert into dns_secondary_serials (secondary_id, zone, at)
    select id, ${zone}, ${at} from dns_secondaries where name = ${secondary} and removed_at is null
    on conflict (secondary_id, zone) do nothing`);
}
