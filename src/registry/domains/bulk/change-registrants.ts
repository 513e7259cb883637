import { requireNone } from '../../../operations/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import { inPrimaryListTurn } from '../../list-turns.ts';
import type { Context } from '../../operation.ts';
import { newRequestToken } from '../../requests/request-store.ts';
import { checkCounts, checkPartsProhibited } from '../apply-parts.ts';
import { changeHolder, decideHolder } from '../change-registrant.ts';
import { newTransferCode } from '../create-domain.ts';
import type { ContactInfo, Domain } from '../domain.ts';
import { NO_PARTS } from '../rules/domain-parts.ts';
import { refusal } from '../rules/domain-refusals.ts';
import { type BulkFinding, findEach, readNamed } from './bulk-findings.ts';
import { findOwnContacts } from './change-parts-of-many.ts';
import { decideEach, type RowDecision, type RowResult } from './row-results.ts';

/** One registrant for many domains: at once where the present one has agreed or is the same, else it is asked. */
export type RegistrantChange = { readonly code: string; readonly verified: boolean };

/** Each by itself, in a transaction of the caller. */
export async function changeRegistrantsOf(
  db: Sql,
  names: readonly string[],
  change: RegistrantChange,
  context: Context,
): Promise<RowResult[]> {
  const registrant = await requireContact(db, change, context);
  return decideEach(db, names, (domain) => decideRegistrant(domain, change, registrant, context), context);
}

/** What would become of each of these domains. */
export const previewRegistrants = (
  database: Database,
  names: readonly string[],
  change: RegistrantChange,
  context: Context,
): Promise<BulkFinding[]> =>
  inPrimaryListTurn(database, context.principal, async (db) => {
    const registrant = await requireContact(db, change, context);
    const decide = (domain: Domain) => decideRegistrant(domain, change, registrant, context);
    const decision = {
      check: (domain: Domain) => {
        const { refusal: wrong } = decide(domain);
        return wrong ? [wrong] : [];
      },
      change: (domain: Domain) => ({ after: decide(domain).change?.after ?? domain }),
    };
    return findEach(names, await readNamed(db, names, context), decision, context);
  });

async function requireContact(
  db: Sql,
  { code }: RegistrantChange,
  { principal }: Context,
): Promise<ContactInfo> {
  const [found] = await findOwnContacts(db, [code], principal);
  requireNone(found ? [] : [refusal('bodyObjectMissing', { object: code, at: ['registrant'] })]);
  if (!found) throw new Error('a contact that does not exist was not refused');
  return found;
}

/** As the update of one domain decides it. */
export function decideRegistrant(
  domain: Domain,
  { verified }: Pick<RegistrantChange, 'verified'>,
  newRegistrant: ContactInfo,
  context: Context,
): RowDecision {
  if (domain.registrant.id === newRegistrant.id) return {};
  const request = { registrant: { code: searchKey(newRegistrant.code), verified } };
  const { holder, refusals } = decideHolder(domain, request, { newRegistrant, dispute: undefined }, context);
  const isNewHolder = holder?.isNewHolder === true;
  const [wrong] = [
    ...checkPartsProhibited(domain, NO_PARTS, { isNewHolder, isOther: true }),
    ...refusals,
    ...checkCounts({ ...domain, registrant: newRegistrant }, NO_PARTS, true, context),
  ];
  if (wrong) return { refusal: wrong };
  if (!holder) return {};
  const secrets = { generatedCode: newTransferCode(), token: newRequestToken() };
  return {
    change: changeHolder(domain, { holder, transferCode: undefined, after: domain }, secrets, context),
  };
}
