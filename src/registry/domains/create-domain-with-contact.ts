import type { Outcome, Quote } from '../../operations/run-operation.ts';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import type { ContactCode, NewContact } from '../contacts/contact-fields.ts';
import { createContact } from '../contacts/create-contact.ts';
import type { Context } from '../operation.ts';
import { runRegistryTransaction } from '../run-registry-operation.ts';
import { createDomain, type NewDomain } from './create-domain.ts';
import type { ContactRole, WholeDomain } from './domain.ts';

/** What a new contact is of the domain that is registered with it. */
export type NewContactRole = 'registrant' | ContactRole;
export type DomainWithContact = {
  /** Without the new contact. */
  readonly domain: NewDomain;
  readonly contact: NewContact;
  readonly roles: readonly NewContactRole[];
};

/**
 * Creates a contact and registers a domain that names it, in one transaction: neither is there without the other. The
 * answer, and what is stored for a request that is repeated, is that of the registration.
 */
export async function createDomainWithContact(
  database: Database,
  input: DomainWithContact,
  context: Context,
): Promise<Outcome<WholeDomain>> {
  const outcome = await runRegistryTransaction(database, context, (db) => createBoth(db, input, context));
  if (outcome.replayed || !outcome.quote) return outcome;
  // The balance was read in the transaction, after the charge.
  const quote: Quote = { ...outcome.quote, price: outcome.answer.charged };
  return { ...outcome, quote };
}

async function createBoth(
  db: Pool,
  { domain, contact, roles }: DomainWithContact,
  given: Context,
): Promise<WholeDomain> {
  // The transaction itself stores the answer.
  const context = { ...given, requestKey: undefined };
  const found = await createContact.load(db, contact, context);
  const made = atContact(() => createContact.decide(found, contact, context));
  await createContact.persist(db, made, context);
  const wanted = namingContact(domain, made.code, roles);
  const plan = createDomain.decide(await createDomain.load(db, wanted, context), wanted, context);
  return (await createDomain.persist(db, plan, context)) ?? plan.answer;
}

/** The registration with the contact in each of the roles. */
export const namingContact = (
  domain: NewDomain,
  code: ContactCode,
  roles: readonly NewContactRole[],
): NewDomain => ({
  ...domain,
  registrant: roles.includes('registrant') ? code : domain.registrant,
  admins: roles.includes('admin') ? [...domain.admins, code] : domain.admins,
  techs: roles.includes('tech') ? [...domain.techs, code] : domain.techs,
});

/** Places in the contact are told from those in the domain. */
export const placedAtContact = <One extends Refusal>(refusal: One): One => ({
  ...refusal,
  at: refusal.at && ['contact', ...refusal.at],
});

function atContact<Decision>(decide: () => Decision): Decision {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [first, ...rest] = error.refusals;
    throw new Refused(placedAtContact(first), rest.map(placedAtContact));
  }
}
