import { namedColumns, pickColumns } from '../../../platform/sql/columns.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { constant, type Fragment, sql } from '../../../platform/sql/statement.ts';
import { CONTACT } from '../../contacts/contact-members.ts';
import { isDisputed } from '../../names/dispute-in-force.ts';
import { codesInRole, hostnames } from './domain-links.ts';
import { DOMAIN } from './domain-members.ts';
import { isHeldBy } from './held-domains.ts';
import type { HoldCause } from '../rules/domain-statuses.ts';

/** Filters of the list; absent ones match everything. */
export type DomainFilter = {
  /** The code of the sponsor. */
  readonly registrar?: string | undefined;
  readonly status?: string | undefined;
  readonly heldBy?: HoldCause | undefined;
  readonly expiresBefore?: Date | undefined;
};

export type ListedDomain = {
  readonly name: string;
  readonly registrar: string;
  readonly registrant: string;
  readonly statuses: readonly string[];
  readonly expireTime: Date;
};

const IDENTIFIED = { name: DOMAIN.name, registrar: sql`r.code`, registrant: sql`c.code` };
const STATUSES = sql`array(select jsonb_object_keys(d.statuses) order by 1)`;
const LISTED = constant(
  namedColumns({ ...IDENTIFIED, statuses: STATUSES, expireTime: DOMAIN.expireTime } satisfies Record<
    keyof ListedDomain,
    Fragment
  >),
);

/** Sorted by name. */
export function listDomains(
  db: Sql,
  { registrar, status, heldBy, expiresBefore }: DomainFilter,
  limit: number,
): Promise<ListedDomain[]> {
  return db.rows(sql<ListedDomain>`
    select ${LISTED}
    from domains d join registrars r on r.id = d.registrar_id join contacts c on c.id = d.registrant_id
    where true
      ${registrar === undefined ? sql`` : sql`and d.registrar_id = (select id from registrars where code = ${registrar})`}
      ${status === undefined ? sql`` : sql`and d.statuses ? ${status}`}
      ${heldBy === undefined ? sql`` : sql`and ${isHeldBy(heldBy)}`}
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

const VIEW = constant(
  namedColumns({
    ...IDENTIFIED,
    registrantName: CONTACT.name,
    statuses: STATUSES,
    admins: codesInRole('admin', { order: CONTACT.code }),
    techs: codesInRole('tech', { order: CONTACT.code }),
    nameservers: hostnames(),
    dnssecKeys: sql`(select count(*) from domain_keys k where k.domain_id = d.id)`,
    ...pickColumns(DOMAIN, 'createdAt', 'expireTime', 'outzoneAt', 'deleteDate'),
    forceDelete: DOMAIN.forceDeleteReason,
    forceDeleteFrom: DOMAIN.forceDeleteStart,
    forceDeleteDate: DOMAIN.forceDeleteDate,
  } satisfies Record<Exclude<keyof DomainView, 'disputed'>, Fragment>),
);

/** One domain as operators see it: everything but its transfer code. */
export async function showDomain(db: Sql, name: string, now: Date): Promise<DomainView | undefined> {
  return db.maybe(sql<DomainView>`
    select ${VIEW}, ${isDisputed(now)} as disputed
    from domains d join registrars r on r.id = d.registrar_id join contacts c on c.id = d.registrant_id
    where d.name = ${name}`);
}
