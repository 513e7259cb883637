import { isContactCode } from '../../../registry/contacts/contact-fields.ts';
import { type OwnContact, readOwnContact } from '../../../registry/contacts/search-contacts.ts';
import type { ConsoleParts, PageInput, Visit } from '../console-page.ts';

/** The contact of the page, from the primary: what was changed a moment ago is shown. */
export async function loadOwnContact(
  { database, policy }: ConsoleParts,
  { principal }: Visit,
  { params: { code = '' } }: PageInput,
): Promise<OwnContact | undefined> {
  return isContactCode(code, policy) ? readOwnContact(database.reads, code, principal) : undefined;
}
