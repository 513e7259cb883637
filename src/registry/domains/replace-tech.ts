import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Context } from '../operation.ts';
import { refusal, refuse } from '../refusals.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import type { ContactInfo, Domain } from './domain.ts';
import { contactInfo } from './load.ts';
import type { DomainChange } from './persist.ts';
import { replaceOnEach } from './replace.ts';
import { isProhibited } from './statuses.ts';

export type TechReplacement = { readonly current: string; readonly next: string };

/** Replaces one tech contact by another on all of the caller's domains. */
export function replaceTech(
  database: Database,
  { current, next }: TechReplacement,
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const [from, to] = await findBoth(db, current, next, context);
    if (from.id === to.id) refuse('sameContact', { field: 'new_contact_id' });
    const among = sql`select l.domain_id as id from domain_contacts l where l.contact_id = ${from.id} and l.role = 'tech'`;
    const { affected, skipped } = await replaceOnEach(
      db,
      among,
      (domain) => withOtherTech(domain, from, to),
      context,
    );
    return { affected_domains: affected, skipped_domains: skipped };
  });
}

export function withOtherTech(domain: Domain, from: ContactInfo, to: ContactInfo): DomainChange | undefined {
  const isTech = (id: number) => domain.contacts.some((link) => link.role === 'tech' && link.id === id);
  if (!isTech(from.id) || isTech(to.id)) return undefined;
  if (isProhibited('update', domain.statuses, 'serverTechChangeProhibited')) return undefined;
  const remaining = domain.contacts.filter(({ id, role }) => role !== 'tech' || id !== from.id);
  const added = { id: to.id, code: to.code, email: to.email, role: 'tech' } as const;
  return {
    operation: 'replace tech contact',
    before: domain,
    after: { ...domain, contacts: [...remaining, added] },
  };
}

async function findBoth(
  db: Sql,
  current: string,
  next: string,
  { principal }: Context,
): Promise<[ContactInfo, ContactInfo]> {
  const rows = await db.rows(sql<{ contact: ContactInfo }>`
    select ${contactInfo()} as contact from contacts c
    where c.code_key = any(${[current, next].map(searchKey)}::text[]) and c.registrar_id = ${principal.registrarId}`);
  const find = (code: string) =>
    rows.find(({ contact }) => searchKey(contact.code) === searchKey(code))?.contact;
  const missing = (object: string, field: string): Refusal => refusal('bodyObjectMissing', { object, field });
  const [from, to] = [find(current), find(next)];
  requireNone([
    ...(from ? [] : [missing(current, 'current_contact_id')]),
    ...(to ? [] : [missing(next, 'new_contact_id')]),
  ]);
  if (!from || !to) throw new Error('a contact that does not exist was not refused');
  return [from, to];
}
