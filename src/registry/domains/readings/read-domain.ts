import { batchedLookup } from '../../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { constant, type Fragment, sql } from '../../../platform/sql/statement.ts';
import { objectUuid } from '../../object-uuid.ts';
import type { Context } from '../../operation.ts';
import { refuseMissing } from '../../removed.ts';
import type { LinkIds } from '../domain.ts';
import { stateAt } from '../rules/computed-statuses.ts';
import { jsonOfLinks, KEY_LINKS, NAMESERVER_LINKS, withColumns } from './domain-links.ts';
import { type DomainMembers, domainMembers, sponsorText } from './domain-members.ts';
import { refuse } from '../rules/domain-refusals.ts';

/** How an interface writes a domain: an object in JSON text. A constant of its module, as is every statement with it. */
export type WriteDomain = (domain: DomainMembers) => Fragment;

type ReadContext = Pick<Context, 'principal' | 'now'>;

/** Reads a domain for any registrar. */
export function domainReader(write: WriteDomain) {
  const find = batchedLookup<{ domain: string }, 'name' | 'now' | 'registrarId'>(
    { name: 'text', now: 'timestamptz', registrarId: 'bigint' },
    ({ name, now, registrarId }) => {
      const isSponsor = sql`d.registrar_id = ${registrarId}`;
      const members = domainMembers({ isSponsor, sponsor: sponsorText(sql`d.registrar_id`) });
      return sql`
  select (select ${write(members)} from ${stateAt(now)}) as domain from domains d where d.name = ${name}`;
    },
  );
  return async (db: Sql, name: string, { principal, now }: ReadContext): Promise<string> => {
    const { registrarId } = principal;
    const row = await find(db, { name, now: now.toISOString(), registrarId });
    return row?.domain ?? refuseMissing(db, 'domain', name, principal);
  };
}

/** For lists of the caller's own domains: `asked` has the time and the caller as their sponsor, written once. */
export const ownDomain = (write: WriteDomain): Fragment => {
  const members = domainMembers({ isSponsor: sql`true`, sponsor: sql`asked.sponsor` });
  return constant(sql`(select ${write(members)} from ${stateAt(sql`asked.now`)})`);
};

/** A part of a domain of the caller, which an interface writes as JSON text for a row `d` of domains. */
export async function readOwnPart(
  db: Sql,
  name: string,
  part: Fragment,
  { principal }: Pick<Context, 'principal'>,
): Promise<string> {
  const row = await db.maybe(sql<{ part: string; registrarId: number }>`
    select ${part} as part, d.registrar_id as "registrarId" from domains d where d.name = ${name}`);
  if (!row) return refuseMissing(db, 'domain', name, principal);
  return row.registrarId === principal.registrarId ? row.part : refuse('notSponsor');
}

type Registered = { readonly transferCode: string; readonly uuid: string };

/** The transfer code and the UUID of a domain of the caller; undefined if it has no such domain. */
export function readRegistered(
  db: Sql,
  name: string,
  { principal }: Pick<Context, 'principal'>,
): Promise<Registered | undefined> {
  return db.maybe(sql<Registered>`
    select d.transfer_code as "transferCode", ${objectUuid('domain', sql`d.id`)}::text as uuid
    from domains d where d.name = ${name} and d.registrar_id = ${principal.registrarId}`);
}

type IdRows = {
  readonly nameservers: readonly { readonly hostname: string; readonly id: number }[];
  readonly keys: readonly { readonly publicKey: string; readonly id: number }[];
};

/** The ids of what is linked to a domain of the caller now. */
export async function readLinkIds(
  db: Sql,
  name: string,
  { principal }: Pick<Context, 'principal'>,
): Promise<LinkIds> {
  const row = await db.maybe(sql<IdRows>`
    select ${jsonOfLinks(withColumns(NAMESERVER_LINKS, 'id', 'hostname'))} as nameservers,
      ${jsonOfLinks(withColumns(KEY_LINKS, 'id', 'publicKey'))} as keys
    from domains d where d.name = ${name} and d.registrar_id = ${principal.registrarId}`);
  const { nameservers = [], keys = [] } = row ?? {};
  return {
    nameservers: new Map(nameservers.map(({ hostname, id }) => [hostname, id])),
    dnsKeys: new Map(keys.map(({ publicKey, id }) => [publicKey, id])),
  };
}
