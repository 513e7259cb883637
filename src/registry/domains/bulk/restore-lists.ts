import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import type { Context } from '../../operation.ts';
import { codesOf, type ContactRole, type Domain } from '../domain.ts';
import { type DomainParts, NO_PARTS } from '../rules/domain-parts.ts';
import { refusal } from '../rules/domain-refusals.ts';
import type { Nameserver } from '../rules/parse-nameservers.ts';
import type { BulkFinding } from './bulk-findings.ts';
import { findOwnContacts, partsChange, type PartsOf, previewChange } from './change-parts-of-many.ts';
import { changeEach, type RowChange, type RowResult } from './row-results.ts';

type StoredKey = {
  readonly flags: number;
  readonly protocol: number;
  readonly alg: number;
  readonly public_key: string;
};
/** The lists of a domain as history has them. */
export type StoredLists = {
  readonly admin_contacts: readonly string[];
  readonly tech_contacts: readonly string[];
  readonly nameservers: readonly Nameserver[];
  readonly dnssec_keys: readonly StoredKey[];
};
/** What one request made of a domain. */
export type PastChange = {
  /** Of the domain: another one can have the name by now. */
  readonly id: number;
  readonly before: StoredLists;
  readonly after: StoredLists;
};

/** Gives the named domains back the lists that a request changed, each by itself, in a transaction of the caller. */
export const restoreListsOf = async (
  db: Sql,
  names: readonly string[],
  requestId: string,
  context: Context,
): Promise<RowResult[]> => changeEach(db, names, await restoration(db, names, requestId, context), context);

/** What would become of each of these domains. */
export const previewRestoredLists = (
  database: Database,
  names: readonly string[],
  requestId: string,
  context: Context,
): Promise<BulkFinding[]> =>
  previewChange(database, names, (db) => restoration(db, names, requestId, context), context);

async function restoration(
  db: Sql,
  names: readonly string[],
  requestId: string,
  context: Context,
): Promise<RowChange> {
  const rows = await db.rows(sql<PastChange>`
    select h.object_id as id, h.before, h.after from history h
    where h.object_kind = 'domain' and h.object_name = any(${names}::text[]) and h.request_id = ${requestId}
      and h.registrar_id = ${context.principal.registrarId} and h.before is not null and h.after is not null`);
  const past = new Map(rows.map((row) => [row.id, row]));
  const codes = rows.flatMap(({ before }) => [...before.admin_contacts, ...before.tech_contacts]);
  const own = await findOwnContacts(db, [...new Set(codes)], context.principal);
  return partsChange(restoredParts(past), own, context);
}

type ListName = keyof StoredLists;

const CONTACTS: Readonly<Record<ContactRole, ListName>> = { admin: 'admin_contacts', tech: 'tech_contacts' };

/** Of the lists that the request changed: those that are not as it left them were changed by somebody since. */
export const restoredParts =
  (past: ReadonlyMap<number, PastChange>): PartsOf =>
  (domain) => {
    const change = past.get(domain.id);
    if (!change) return { refusal: refusal('notChangedByJob') };
    const { before, after } = change;
    const present = listsOf(domain);
    const changed = LISTS.filter((name) => isOther(before, after, name));
    if (!changed.some((name) => isOther(before, present, name))) return NO_PARTS;
    if (changed.some((name) => isOther(after, present, name))) return { refusal: refusal('changedSince') };
    return partsBetween(after, before, changed);
  };

const listsOf = ({ contacts, nameservers, dnsKeys }: Domain): StoredLists => ({
  admin_contacts: codesOf(contacts, 'admin'),
  tech_contacts: codesOf(contacts, 'tech'),
  nameservers,
  dnssec_keys: dnsKeys.map(({ publicKey, ...key }) => ({ ...key, public_key: publicKey })),
});

/** An item as a text by which it is compared. */
const TEXTS: { readonly [Name in ListName]: (item: StoredLists[Name][number]) => string } = {
  admin_contacts: searchKey,
  tech_contacts: searchKey,
  nameservers: ({ hostname, ipv4, ipv6 }) => [hostname, ...[...ipv4, ...ipv6].toSorted()].join(' '),
  dnssec_keys: ({ flags, protocol, alg, public_key: key }) => [flags, protocol, alg, key].join(' '),
};
const LISTS = Object.keys(TEXTS) as readonly ListName[];

const textsOf = <Name extends ListName>(lists: StoredLists, name: Name): string[] =>
  (lists[name] as readonly StoredLists[Name][number][]).map(TEXTS[name]);

/** The order says nothing. */
const isOther = (some: StoredLists, others: StoredLists, name: ListName): boolean =>
  textsOf(some, name).toSorted().join('\n') !== textsOf(others, name).toSorted().join('\n');

/** The items of one list that the other lacks. */
function missingIn<Name extends ListName>(
  others: StoredLists,
  lists: StoredLists,
  name: Name,
): readonly StoredLists[Name][number][] {
  const known = new Set(textsOf(others, name));
  const items = lists[name] as readonly StoredLists[Name][number][];
  return items.filter((item) => !known.has(TEXTS[name](item)));
}

function partsBetween(from: StoredLists, to: StoredLists, changed: readonly ListName[]): DomainParts {
  const listed = <Name extends ListName>(others: StoredLists, lists: StoredLists, name: Name) =>
    changed.includes(name) ? missingIn(others, lists, name) : [];
  const partsOf = (others: StoredLists, lists: StoredLists) => ({
    contacts: (['admin', 'tech'] as const).flatMap((role) =>
      (listed(others, lists, CONTACTS[role]) as readonly string[]).map((code) => ({ code, role })),
    ),
    nameservers: listed(others, lists, 'nameservers'),
    keys: listed(others, lists, 'dnssec_keys').map(({ public_key: publicKey, ...key }) => ({
      ...key,
      publicKey,
    })),
  });
  return {
    remove: { ...NO_PARTS.remove, ...partsOf(to, from) },
    add: { ...NO_PARTS.add, ...partsOf(from, to) },
  };
}
