import type { Pool } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import type { Bar } from '../progress.ts';

const BATCH = 50_000;
const HOSTERS = 500;
const SHARES = { signed: 10, withOwnHost: 20 } as const;

/**
 * Delegations of registrar ALPHA in the zone `ee`, with three nameservers each; every tenth is signed, every twentieth
 * has glue. Straight into the tables and without marks: the zone is to be built from them.
 */
export async function plantDelegations(db: Pool, count: number, bar: Bar): Promise<void> {
  for (let from = 1; from <= count; from += BATCH) {
    const until = Math.min(from + BATCH - 1, count);
    await db.begin(async (transaction) => {
      // References hold by construction, and proving them row by row takes longer than the rest.
      await transaction.run(sql`set local session_replication_role = replica`);
      await plant(transaction, from, until);
    });
    bar.show('loading delegations', until, count);
  }
  await db.script('vacuum analyze domains, domain_nameservers, domain_keys');
  await db.run(sql`checkpoint`);
}

const plant = (db: Pool, from: number, until: number) =>
  db.run(sql`
    with added as materialized (
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select substr(md5(n::text), 1, 8) || '-d' || n || '.ee', 'ee', r.id, (select min(id) from contacts c where c.registrar_id = r.id),
        md5('transfer ' || n), now(), now(), now() + interval '1 year'
      from generate_series(${from}::int, ${until}::int) as n cross join registrars r where r.code = 'ALPHA'
      returning id, name),
    hosted as (
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select id, case when own then 'ns1.' || name else 'ns' || place || '.hoster' || id % ${HOSTERS}::int || '.example' end,
        case when own then array['192.0.2.1'] else '{}' end, case when own then array['2001:db8::1'] else '{}' end
      from added cross join generate_series(1, 3) as place
      cross join lateral (select place = 1 and id % ${SHARES.withOwnHost}::int = 0 as own) as o)
    insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
    select id, 257, 3, 13, encode(sha512(name::bytea), 'base64'), id % 65536, 2, upper(encode(sha256(name::bytea), 'hex'))
    from added where id % ${SHARES.signed}::int = 0`);
