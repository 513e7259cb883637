import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactObject, type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { parseHostname } from '../domains/rules/parse-nameservers.ts';
import { isZoneOrigin, parseDomainName, parseIdn } from '../names/name.ts';

/** A host as the zones publish it. */
export type PublicNameserver = {
  /** In Unicode. */
  readonly hostname: string;
  /** In A-labels. */
  readonly asciiHostname: string;
  /** Glue only: addresses of other hosts belong to their own zones. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

type Glue = Pick<PublicNameserver, 'ipv4' | 'ipv6'>;
type Row = { readonly isPublished: boolean; readonly glue: Glue | null };

/** As isInZone of the zones: a held domain publishes no nameservers. */
const isDelegated = (statuses: Fragment): Fragment =>
  sql`not ${statuses} ?| array['clientHold', 'serverHold']`;

/**
 * Of the domains of one host at most this many are looked at, the newest first, so that a host whose domains are all
 * held costs no more than others.
 */
const MAX_DOMAINS = sql`1000`;

/** The state of a domain is a scalar subselect: a popular host must never be joined with all of its domains. */
const find = batchedLookup<Row, 'hostname' | 'domain'>(
  { hostname: 'text', domain: 'text' },
  ({ hostname, domain }) => sql<Row>`
  select coalesce((select true
      from (select n.domain_id from domain_nameservers n where n.hostname = ${hostname}
        order by n.domain_id desc limit ${MAX_DOMAINS}) as newest
      where (select ${isDelegated(sql`d.statuses`)} from domains d where d.id = newest.domain_id)
      limit 1), false) as "isPublished",
    (select ${compactObject(sql`n.ipv4, n.ipv6`)} from domains d join domain_nameservers n on n.domain_id = d.id
      where d.name = ${domain} and n.hostname = ${hostname} and ${isDelegated(sql`d.statuses`)}) as glue`,
);

/** By a name in any spelling; undefined unless a domain that is in the zone uses the host now. */
export async function findNameserver(
  db: Sql,
  text: string,
  { policy }: { readonly policy: Policy },
): Promise<PublicNameserver | undefined> {
  const hostname = parseHostname(text);
  const asciiHostname = hostname && parseIdn(hostname)?.ascii;
  if (hostname === undefined || !asciiHostname) return undefined;
  const row = await find(db, { hostname, domain: domainAbove(hostname, policy) ?? '' });
  if (!row?.isPublished && !row?.glue) return undefined;
  return { hostname, asciiHostname, ipv4: row.glue?.ipv4 ?? [], ipv6: row.glue?.ipv6 ?? [] };
}

/** The name of our zones that the host is called after, if any: only that domain can publish its addresses. */
function domainAbove(hostname: string, policy: Policy): string | undefined {
  const labels = hostname.split('.');
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .find((name) => parseDomainName(name, policy) !== undefined && !isZoneOrigin(name, policy));
}
