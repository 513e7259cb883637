import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';

/** Enough to know a registrar's habits, and to read for every form. */
const NEWEST = 200;
const MAX_SETS = 4;

/**
 * The sets of nameservers that the newest domains of a registrar have, the most frequent first. Hosts with addresses are
 * those of one domain only.
 */
export async function listUsedNameservers(db: Sql, registrarId: number): Promise<(readonly string[])[]> {
  const rows = await db.rows(sql<{ hosts: string[] }>`
    select hosts from (
      select (select array_agg(n.hostname order by n.hostname) from domain_nameservers n
        where n.domain_id = d.id having bool_and(n.ipv4 = '{}' and n.ipv6 = '{}')) as hosts
      from (select id from domains where registrar_id = ${registrarId} order by created_at desc, id desc limit ${NEWEST}) d) as of_domain
    where hosts is not null
    group by hosts order by count(*) desc, hosts limit ${MAX_SETS}`);
  return rows.map(({ hosts }) => hosts);
}
