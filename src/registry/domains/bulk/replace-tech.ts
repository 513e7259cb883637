import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import { PLANNED_ONCE, type Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../../contacts/contact-members.ts';
import { inListTurn } from '../../list-turns.ts';
import type { Context } from '../../operation.ts';
import { runRegistryTransaction } from '../../run-registry-operation.ts';
import { type BulkFinding, findEach, readNamed } from './bulk-findings.ts';
import { type ContactInfo, type ContactRole, type Domain, linkOf } from '../domain.ts';
import { refusal, refuse } from '../rules/domain-refusals.ts';
import type { DomainChange } from '../persist-domains.ts';
import { type AffectedDomains, replaceOnEach } from './replace-on-each.ts';
import { changeEach, type RowResult } from './row-results.ts';
import { checkProhibited } from '../rules/domain-statuses.ts';

export type TechReplacement = { readonly current: string; readonly next: string };

/** As history calls it. */
const OPERATION = 'replace tech contact';

/** Replaces one tech contact by another. */
export function replaceTech(
  database: Database,
  replacement: TechReplacement,
  context: Context,
): Promise<Outcome<AffectedDomains>> {
  return runRegistryTransaction(
    database,
    context,
    async (db) => {
      const [from, to] = await findBoth(db, replacement, context);
      const among = sql`select l.domain_id as id from domain_contacts l where l.contact_id = ${from.id} and l.role = 'tech'`;
      return replaceOnEach(db, among, (domain) => withOtherTech(domain, from, to), context);
    },
    PLANNED_ONCE,
  );
}

/** The same on the named domains, in a transaction of the caller; each succeeds or fails by itself. */
export async function replaceTechOf(
  db: Sql,
  names: readonly string[],
  replacement: TechReplacement,
  context: Context,
): Promise<RowResult[]> {
  const [from, to] = await findBoth(db, replacement, context);
  const change = {
    operation: OPERATION,
    check: (domain: Domain) => checkOtherTech(domain, from, to),
    change: (domain: Domain) => withTech(domain, from, to),
  };
  return changeEach(db, names, change, context);
}

/** The caller's domains that have a contact in a role, so many of them at most, and whether there are more. */
export async function findDomainsOfContact(
  db: Sql,
  { code, role }: { readonly code: string; readonly role: ContactRole },
  most: number,
  { registrarId }: Context['principal'],
): Promise<{ readonly names: readonly string[]; readonly isMore: boolean }> {
  const rows = await db.rows(sql<{ name: string }>`
    select d.name from contacts c join domain_contacts l on l.contact_id = c.id and l.role = ${role} join domains d on d.id = l.domain_id
    where c.code_key = ${searchKey(code)} and c.registrar_id = ${registrarId} and d.registrar_id = ${registrarId} limit ${most + 1}`);
  const names = rows.slice(0, most).map(({ name }) => name);
  return { names: names.toSorted(), isMore: rows.length > most };
}

type Both = { readonly from: ContactInfo; readonly to: ContactInfo };

/** What would become of each of these domains. */
export function previewTechReplacement(
  database: Database,
  replacement: TechReplacement,
  names: readonly string[],
  context: Context,
): Promise<BulkFinding[]> {
  const lists = { ...database, replicaLists: database.lists };
  return inListTurn(lists, context.principal, async (db) => {
    const [from, to] = await findBoth(db, replacement, context);
    return findReplacements(db, names, { from, to }, context);
  });
}

async function findReplacements(
  db: Sql,
  names: readonly string[],
  { from, to }: Both,
  context: Context,
): Promise<BulkFinding[]> {
  const decision = {
    check: (domain: Domain) => checkOtherTech(domain, from, to),
    change: (domain: Domain) => ({ after: withTech(domain, from, to) }),
  };
  return findEach(names, await readNamed(db, names, context), decision, context);
}

/** Undefined where the rules exclude the domain. */
export function withOtherTech(domain: Domain, from: ContactInfo, to: ContactInfo): DomainChange | undefined {
  if (checkOtherTech(domain, from, to).length > 0) return undefined;
  return { operation: OPERATION, before: domain, after: withTech(domain, from, to) };
}

function checkOtherTech({ contacts, statuses }: Domain, from: ContactInfo, to: ContactInfo): Refusal[] {
  const isTech = ({ id }: ContactInfo) => contacts.some((link) => link.role === 'tech' && link.id === id);
  return [
    ...(isTech(from) ? [] : [refusal('contactNotLinked', { role: 'tech', contact: from.code })]),
    ...(isTech(to) ? [refusal('contactTwice', { contact: to.code })] : []),
    ...checkProhibited('update', statuses, 'serverTechChangeProhibited'),
  ];
}

function withTech(domain: Domain, from: ContactInfo, to: ContactInfo): Domain {
  const remaining = domain.contacts.filter(({ id, role }) => role !== 'tech' || id !== from.id);
  return { ...domain, contacts: [...remaining, linkOf(to, 'tech')] };
}

/** The old and the new contact, both of which must be the caller's. */
export async function findBoth(
  db: Sql,
  replacement: TechReplacement,
  { principal }: Context,
): Promise<[ContactInfo, ContactInfo]> {
  const codes = [replacement.current, replacement.next].map(searchKey);
  const rows = await db.rows(sql<{ contact: ContactInfo }>`
    select ${CONTACT_INFO} as contact from contacts c
    where c.code_key = any(${codes}::text[]) and c.registrar_id = ${principal.registrarId}`);
  return requireBoth(
    rows.map(({ contact }) => contact),
    replacement,
  );
}

/** The old and the new contact among those of the caller. */
export function requireBoth(
  found: readonly ContactInfo[],
  { current, next }: TechReplacement,
): [ContactInfo, ContactInfo] {
  const find = (code: string) => found.find((contact) => searchKey(contact.code) === searchKey(code));
  const missing = (object: string, place: 'current' | 'next'): Refusal =>
    refusal('bodyObjectMissing', { object, at: [place] });
  const [from, to] = [find(current), find(next)];
  requireNone([...(from ? [] : [missing(current, 'current')]), ...(to ? [] : [missing(next, 'next')])]);
  if (!from || !to) throw new Error('a contact that does not exist was not refused');
  if (from.id === to.id) refuse('sameContact', { at: ['next'] });
  return [from, to];
}
