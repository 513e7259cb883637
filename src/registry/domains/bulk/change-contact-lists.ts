import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import type { Context } from '../../operation.ts';
import { codesOf, type ContactInfo, type ContactRole, type Domain } from '../domain.ts';
import { resolveContacts } from '../rules/contact-rules.ts';
import { type DomainParts, NO_PARTS } from '../rules/domain-parts.ts';
import { refusal } from '../rules/domain-refusals.ts';
import type { BulkFinding } from './bulk-findings.ts';
import { findOwnContacts, partsChange, type PartsOf, previewChange } from './change-parts-of-many.ts';
import { changeEach, type RowChange, type RowResult } from './row-results.ts';

/** What the contacts of many domains in one role become. */
export type ContactListChange = {
  readonly role: ContactRole;
  /** Codes, or all for a whole new list. Where others are added, a domain that has none of these is refused. */
  readonly remove: 'all' | readonly string[];
  readonly add: readonly string[];
};

/** Each by itself, in a transaction of the caller. */
export const changeContactsOf = async (
  db: Sql,
  names: readonly string[],
  change: ContactListChange,
  context: Context,
): Promise<RowResult[]> => changeEach(db, names, await contactsChange(db, change, context), context);

/** What would become of each of these domains. */
export const previewContactLists = (
  database: Database,
  names: readonly string[],
  change: ContactListChange,
  context: Context,
): Promise<BulkFinding[]> =>
  previewChange(database, names, (db) => contactsChange(db, change, context), context);

/** What no domain can have refuses the whole. */
async function contactsChange(db: Sql, change: ContactListChange, context: Context): Promise<RowChange> {
  const own = await findOwnContacts(db, change.add, context.principal);
  requireNone(checkAdded(change, own));
  return partsChange(contactParts(change), own, context);
}

const checkAdded = ({ add }: ContactListChange, own: readonly ContactInfo[]): readonly Refusal[] =>
  resolveContacts(
    add.map((code, index) => ({ code, at: ['add', 'contacts', index] as const })),
    own,
  ).refusals;

/** Only what the domain lacks is added, and only what it has removed. */
export function contactParts({ role, remove, add }: ContactListChange): PartsOf {
  const keys = (codes: readonly string[]) => new Set(codes.map(searchKey));
  const added = keys(add);
  const removed = remove === 'all' ? undefined : keys(remove);
  return ({ contacts }: Domain): DomainParts | { readonly refusal: Refusal } => {
    const codes = codesOf(contacts, role);
    const present = keys(codes);
    const goes = (code: string) => {
      const key = searchKey(code);
      return (removed?.has(key) ?? true) && !added.has(key);
    };
    const named = (chosen: readonly string[]) => chosen.map((code) => ({ code, role }));
    const gone = named(codes.filter(goes));
    const come = named(add.filter((code) => !present.has(searchKey(code))));
    const isReplaced = remove !== 'all' && remove.length > 0 && come.length > 0;
    if (isReplaced && gone.length === 0)
      return { refusal: refusal('contactNotLinked', { role, contact: remove.join(', ') }) };
    return {
      remove: { ...NO_PARTS.remove, contacts: gone },
      add: { ...NO_PARTS.add, contacts: come },
    };
  };
}
