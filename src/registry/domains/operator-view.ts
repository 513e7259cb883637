import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** Filters of the list; absent ones match everything. */
export type DomainFilter = {
  /** The code of the sponsor. */
  readonly registrar?: string | undefined;
  readonly status?: string | undefined;
  readonly expiresBefore?: Date | undefined;
};

export type ListedDomain = {
  readonly name: string;
  readonly registrar: string;
  readonly registrant: string;
  readonly statuses: readonly string[];
  readonly expireTime: Date;
};

/** Sorted by name. */
export function listDomains(
  db: Sql,
  { registrar, status, expiresBefore }: DomainFilter,
  limit: number,
): Promise<ListedDomain[]> {
  return db.rows(sql<ListedDomain>`
    select d.name, r.code as registrar, c.code as registrant, array(select jsonb_object_keys(d.statuses) order by 1) as statuses, d.expire_time as "expireTime"
    from domains d join registrars r on r.id = d.registrar_id join contacts c on c.id = d.registrant_id
    where true
      ${registrar === undefined ? sql`` : sql`and d.registrar_id = (select id from registrars where code = ${registrar})`}
      ${status === undefined ? sql`` : sql`and d.statuses ? ${status}`}
      ${expiresBefore === undefined ? sql`` : sql`and d.expire_time < ${expiresBefore}`}
    order by d.name limit ${limit}`);
}

export type DomainView = ListedDomain & {
  readonly registrantName: string;
  readonly admins: readonly string[];
  readonly techs: readonly string[];
  readonly nameservers: readonly string[];
  readonly dnssecKeys: number;
  readonly createdAt: Date;
  readonly outzoneAt: Date | null;
  readonly deleteDate: string | null;
  /** Reason and dates of a force delete; null if there is none. */
  readonly forceDelete: string | null;
  readonly forceDeleteFrom: string | null;
  readonly forceDeleteDate: string | null;
  readonly disputed: boolean;
};

/** One domain as operators see it: everything but its transfer code. */
export async function showDomain(db: Sql, name: string, now: Date): Promise<DomainView | undefined> {
  return db.maybe(sql<DomainView>`
    select d.name, r.code as registrar, c.code as registrant, c.name as "registrantName",
      array(select jsonb_object_keys(d.statuses) order by 1) as statuses,
      array(select a.code from domain_contacts l join contacts a on a.id = l.contact_id where l.domain_id = d.id and l.role = 'admin' order by 1) as admins,
      array(select t.code from domain_contacts l join contacts t on t.id = l.contact_id where l.domain_id = d.id and l.role = 'tech' order by 1) as techs,
      array(select n.hostname from domain_nameservers n where n.domain_id = d.id order by n.id) as nameservers,
      (select count(*) from domain_keys k where k.domain_id = d.id) as "dnssecKeys",
      d.created_at as "createdAt", d.expire_time as "expireTime", d.outzone_at as "outzoneAt", d.delete_date::text as "deleteDate",
      d.force_delete ->> 'reason' as "forceDelete", d.force_delete_start::text as "forceDeleteFrom", d.force_delete_date::text as "forceDeleteDate",
      exists (select from disputes p where p.name = d.name and p.closed_at is null and p.expires_at > ${now}) as disputed
    from domains d join registrars r on r.id = d.registrar_id join contacts c on c.id = d.registrant_id
    where d.name = ${name}`);
}
