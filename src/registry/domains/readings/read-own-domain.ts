import { insertHistory } from '../../../operations/record-history.ts';
import { namedColumns, pickColumns } from '../../../platform/sql/columns.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { constant, type Fragment, sql } from '../../../platform/sql/statement.ts';
import { textOfDay } from '../../../platform/values/dates.ts';
import { actorOf } from '../../actor.ts';
import type { Context } from '../../operation.ts';
import { priceOf } from '../../prices/prices.ts';
import { stateAt } from '../rules/computed-statuses.ts';
import type { ContactRole } from '../domain.ts';
import { jsonOfLinks, KEY_LINKS, ofRegistrant, withColumns } from './domain-links.ts';
import { DOMAIN } from './domain-members.ts';

/** A domain with everything that its sponsor sees at once, except the transfer code. */
export type OwnDomain = {
  readonly id: number;
  /** Another one after every change. */
  readonly version: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly transferredAt: Date | null;
  readonly expireTime: Date;
  readonly outzoneAt: Date | null;
  readonly deleteDate: string | null;
  readonly forceDeleteStart: string | null;
  readonly forceDeleteDate: string | null;
  readonly forceDeleteReason: string | null;
  /** Stored and computed ones, with their notes. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly contacts: readonly {
    readonly role: 'registrant' | ContactRole;
    readonly code: string;
    readonly name: string;
  }[];
  readonly nameservers: readonly {
    readonly hostname: string;
    readonly ipv4: readonly string[];
    readonly ipv6: readonly string[];
  }[];
  readonly dnsKeys: readonly {
    readonly flags: number;
    readonly protocol: number;
    readonly alg: number;
    readonly keyTag: number;
    readonly publicKey: string;
  }[];
  readonly reference: string | null;
  /** What the registrant has to confirm. */
  readonly request: {
    readonly kind: string;
    /** Code and name; null if it is a contact of another registrar. */
    readonly newRegistrant: { readonly code: string; readonly name: string } | null;
    /** Whether other changes of the same request wait with it. */
    readonly hasFurtherChanges: boolean;
    /** Where the registrant was asked. */
    readonly email: string;
    readonly requestedBy: string;
    readonly requestedAt: string;
    readonly expiresAt: string;
  } | null;
  /** What a renewal by a year costs today, in cents. */
  readonly renewalPrice: string | null;
};

const CONTACTS = sql`(
  select json_agg(json_build_object('role', l.role, 'code', c.code, 'name', c.name) order by l.position, c.id) from (
    select 'registrant' as role, 1 as position, d.registrant_id as contact_id
    union all select role, case role when 'admin' then 2 else 3 end, contact_id from domain_contacts where domain_id = d.id) as l
    join contacts c on c.id = l.contact_id)`;
const REQUEST = sql`(
  select json_build_object('kind', q.kind, 'requestedBy', q.requested_by, 'requestedAt', q.requested_at, 'expiresAt', q.expires_at,
    'hasFurtherChanges', q.further_changes is not null, 'email', ${ofRegistrant((contact) => contact.email)}, 'newRegistrant',
    (select json_build_object('code', c.code, 'name', c.name) from contacts c where c.id = q.new_registrant_id and c.registrar_id = d.registrar_id))
  from registrant_requests q where q.domain_id = d.id and q.closed_at is null)`;

const MEMBERS = constant(
  namedColumns({
    ...pickColumns(DOMAIN, 'id', 'version', 'name', 'createdAt', 'updatedAt', 'transferredAt', 'expireTime'),
    ...pickColumns(DOMAIN, 'outzoneAt', 'deleteDate', 'forceDeleteStart', 'forceDeleteDate'),
    ...pickColumns(DOMAIN, 'forceDeleteReason', 'statuses'),
    contacts: CONTACTS,
    nameservers: sql`${DOMAIN.nameservers}::json`,
    dnsKeys: jsonOfLinks(withColumns(KEY_LINKS, 'flags', 'protocol', 'alg', 'keyTag', 'publicKey')),
    reference: sql`d.reference`,
    request: REQUEST,
  } satisfies Record<Exclude<keyof OwnDomain, 'renewalPrice'>, Fragment>),
);

type ReadContext = Pick<Context, 'principal' | 'now' | 'policy'>;

/** Undefined if the registrar has no such domain. */
export async function readOwnDomain(
  db: Sql,
  name: string,
  { principal, now, policy }: ReadContext,
): Promise<OwnDomain | undefined> {
  return db.maybe(sql<OwnDomain>`
    select ${MEMBERS}, ${priceOf(DOMAIN.zone, 'renew', 12, textOfDay(policy.timeZone, now))} as "renewalPrice"
    from domains d cross join lateral ${stateAt(now)}
    where d.name = ${name} and d.registrar_id = ${principal.registrarId}`);
}

type ViewContext = Pick<Context, 'principal' | 'now' | 'requestId'>;

/** The transfer code of an own domain, for a person: every look at it is recorded. */
export async function viewTransferCode(
  db: Sql,
  name: string,
  { principal, now, requestId }: ViewContext,
): Promise<string | undefined> {
  const row = await db.maybe(sql<{ code: string }>`
    with seen as (
      select id, name, transfer_code from domains where name = ${name} and registrar_id = ${principal.registrarId}),
    recorded as (${insertHistory(
      {
        objectKind: 'domain',
        objectId: sql`seen.id`,
        objectName: sql`seen.name`,
        operation: 'view transfer code',
      },
      { actor: actorOf(principal), now, registrarId: principal.registrarId, requestId },
      sql`from seen`,
    )} returning object_id)
    select seen.transfer_code as code from seen join recorded on recorded.object_id = seen.id`);
  return row?.code;
}
