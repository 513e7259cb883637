import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import { namedColumns, pickColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactObject, type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Audience, Disclosure, Policy } from '../../policy/policy.ts';
import { stateAt } from '../domains/rules/computed-statuses.ts';
import type { SignedKey } from '../domains/domain.ts';
import { jsonOfLinks, SIGNED_KEY_LINKS } from '../domains/readings/domain-links.ts';
import { DOMAIN } from '../domains/readings/domain-members.ts';
import type { Nameserver } from '../domains/rules/parse-nameservers.ts';
import { linkedContactsFor, registrantFor } from './disclosed-columns.ts';
import type { LinkedContact } from './disclosure.ts';
import { type PublicRegistrar, REGISTRAR } from './find-registrar.ts';
import type { Viewer } from './viewer.ts';

/** A domain with everything that its viewer may see of it. Times are in UTC. */
export type FoundDomain = {
  readonly id: number;
  /** In Unicode. */
  readonly name: string;
  /** Stored and computed ones; what their notes say is not for the public. */
  readonly statuses: readonly string[];
  readonly registrarId: number;
  readonly registrar: PublicRegistrar;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expireTime: string;
  readonly outzoneAt: string | null;
  /** The earlier one of expiry, deletion by the registrar, and force delete. */
  readonly deleteDate: string | null;
  readonly transferredAt: string | null;
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly SignedKey[];
  readonly registrant: LinkedContact;
  /** Its admin and tech contacts. */
  readonly contacts: readonly LinkedContact[];
};

export type NameFound = {
  readonly domain: FoundDomain | null;
  /** Blocked names are told apart from free ones, reserved names are not. */
  readonly blocked: boolean;
};

const utc = (time: Fragment): Fragment =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const found = ({
  registrant,
  contacts,
}: {
  readonly registrant: Fragment;
  readonly contacts: Fragment;
}): Fragment =>
  compactObject(
    namedColumns({
      ...pickColumns(DOMAIN, 'id', 'name', 'registrarId'),
      statuses: sql`array(select json_object_keys(${DOMAIN.statuses}::json))`,
      registrar: sql`(select ${REGISTRAR} from registrars r where r.id = d.registrar_id)`,
      createdAt: utc(DOMAIN.createdAt),
      updatedAt: utc(DOMAIN.updatedAt),
      expireTime: utc(DOMAIN.expireTime),
      outzoneAt: utc(DOMAIN.outzoneAt),
      deleteDate: sql`least(${DOMAIN.deleteDate}, ${DOMAIN.forceDeleteDate})`,
      transferredAt: utc(DOMAIN.transferredAt),
      nameservers: sql`${DOMAIN.nameservers}::json`,
      dnsKeys: jsonOfLinks(SIGNED_KEY_LINKS),
      registrant,
      contacts,
    } satisfies Record<keyof FoundDomain, Fragment>),
  );

type Asked = 'name' | 'now' | 'viewerId';
type Find = ReturnType<typeof batchedLookup<NameFound, Asked>>;

/** A statement per kind of viewer: each reads what its viewers may see, and nothing else. */
function statementFor(kind: Viewer['kind'], disclosure: Disclosure): Find {
  const contactsOf = (audience: Audience) => ({
    registrant: registrantFor(audience, disclosure),
    contacts: linkedContactsFor(audience, disclosure),
  });
  return batchedLookup<NameFound, Asked>(
    { name: 'text', now: 'timestamptz', viewerId: 'bigint' },
    (asked) => {
      const [own, others] = [contactsOf(kind === 'registrar' ? 'sponsor' : kind), contactsOf(kind)];
      const bySponsor = (one: Fragment, other: Fragment) =>
        sql`case when d.registrar_id = ${asked.viewerId} then ${one} else ${other} end`;
      const contacts =
        kind === 'registrar'
          ? {
              registrant: bySponsor(own.registrant, others.registrant),
              contacts: bySponsor(own.contacts, others.contacts),
            }
          : others;
      return sql<NameFound>`
  select (
      select ${found(contacts)} from domains d
        cross join lateral ${stateAt(asked.now)}
      where d.name = ${asked.name}) as domain,
    coalesce((select true from blocked_names b where b.name = ${asked.name}), false) as blocked`;
    },
  );
}

const statements = new WeakMap<Disclosure, Map<Viewer['kind'], Find>>();

function statementOf(kind: Viewer['kind'], disclosure: Disclosure): Find {
  const known = statements.get(disclosure) ?? new Map<Viewer['kind'], Find>();
  statements.set(disclosure, known);
  const find = known.get(kind) ?? statementFor(kind, disclosure);
  known.set(kind, find);
  return find;
}

type FindContext = { readonly viewer: Viewer; readonly now: Date; readonly policy: Pick<Policy, 'lookup'> };

/** What there is under a name in Unicode, and what of its contacts the viewer is shown. */
export async function findDomain(
  db: Sql,
  name: string,
  { viewer, now, policy }: FindContext,
): Promise<NameFound> {
  const find = statementOf(viewer.kind, policy.lookup.disclosure);
  const viewerId = viewer.kind === 'registrar' ? viewer.registrarId : 0;
  return (await find(db, { name, now: now.toISOString(), viewerId })) ?? { domain: null, blocked: false };
}
