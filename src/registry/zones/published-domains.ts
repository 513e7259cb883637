import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { PublishableDomain, ZoneSigners } from './records.ts';
import type { DsData } from './zone-record.ts';

/** Much less than decisions need of a domain: a rebuild reads all of them. */
const columns = (): Fragment => sql`
  d.name, d.zone, d.statuses,
  (select coalesce(json_agg(json_build_object('hostname', n.hostname, 'ipv4', n.ipv4, 'ipv6', n.ipv6)), '[]')
    from domain_nameservers n where n.domain_id = d.id) as nameservers,
  (select coalesce(json_agg(json_build_object('flags', k.flags, 'protocol', k.protocol, 'alg', k.alg, 'publicKey', k.public_key,
      'keyTag', k.key_tag, 'digestType', k.digest_type, 'digest', k.digest)), '[]')
    from domain_keys k where k.domain_id = d.id) as "dnsKeys"`;

export const loadByNames = (db: Sql, names: readonly string[]): Promise<PublishableDomain[]> =>
  db.rows(
    sql<PublishableDomain>`select ${columns()} from domains d where d.name = any(${[...names]}::text[])`,
  );

export type DomainPage = PublishableDomain & { readonly id: number };

/** The next domains of a zone up to an id, in the order of their ids. */
export const loadPage = (
  db: Sql,
  zone: string,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<DomainPage[]> =>
  db.rows(sql<DomainPage>`
    select d.id, ${columns()} from domains d where d.zone = ${zone} and d.id > ${after} and d.id <= ${last} order by d.id limit ${limit}`);

export async function loadSigners(db: Sql): Promise<ZoneSigners> {
  const rows = await db.rows(sql<DsData & { zone: string }>`
    select zone, key_tag as "keyTag", algorithm, digest_type as "digestType", digest from zone_delegation_signers`);
  const byZone = Map.groupBy(rows, ({ zone }) => zone);
  return new Map([...byZone].map(([zone, signers]) => [zone, signers.map(({ zone: _zone, ...ds }) => ds)]));
}
