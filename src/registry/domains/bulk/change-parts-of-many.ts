import type { Refusal } from '../../../operations/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../../contacts/contact-members.ts';
import { inPrimaryListTurn } from '../../list-turns.ts';
import type { Context } from '../../operation.ts';
import { applyParts, checkCounts, checkPartsProhibited, isEmpty } from '../apply-parts.ts';
import type { ContactInfo, Domain } from '../domain.ts';
import type { DomainParts } from '../rules/domain-parts.ts';
import { type BulkFinding, findEach, readNamed } from './bulk-findings.ts';
import type { RowChange } from './row-results.ts';

/** What a bulk change removes from one domain and adds to it, or why it does not. */
export type PartsOf = (domain: Domain) => DomainParts | { readonly refusal: Refusal };

const KINDS = { isNewHolder: false, isOther: false };

/** The rules are those of the update of one domain. A domain that is as it shall be stays so, whatever its statuses are. */
export function partsChange(
  partsOf: PartsOf,
  own: readonly ContactInfo[],
  context: Pick<Context, 'now' | 'policy'>,
): RowChange {
  return {
    operation: 'update',
    check: (before) => {
      const parts = partsOf(before);
      if ('refusal' in parts) return [parts.refusal];
      if (isEmpty(parts)) return [];
      const { domain, refusals } = applyParts(before, parts, own, context);
      return [
        ...checkPartsProhibited(before, parts, KINDS),
        ...refusals,
        ...checkCounts(domain, parts, false, context),
      ];
    },
    change: (before) => {
      const parts = partsOf(before);
      return 'refusal' in parts || isEmpty(parts) ? before : applyParts(before, parts, own, context).domain;
    },
  };
}

/** What such a change would do with each of these domains. */
export function previewChange(
  database: Database,
  names: readonly string[],
  load: (db: Sql) => Promise<RowChange>,
  context: Context,
): Promise<BulkFinding[]> {
  return inPrimaryListTurn(database, context.principal, async (db) => {
    const { check, change } = await load(db);
    const decision = { check, change: (before: Domain) => ({ after: change(before) }) };
    return findEach(names, await readNamed(db, names, context), decision, context);
  });
}

/** The caller's contacts among these. */
export async function findOwnContacts(
  db: Sql,
  codes: readonly string[],
  { registrarId }: Context['principal'],
): Promise<readonly ContactInfo[]> {
  if (codes.length === 0) return [];
  const rows = await db.rows(sql<{ contact: ContactInfo }>`
    select ${CONTACT_INFO} as contact from contacts c
    where c.code_key = any(${codes.map(searchKey)}::text[]) and c.registrar_id = ${registrarId}`);
  return rows.map(({ contact }) => contact);
}
