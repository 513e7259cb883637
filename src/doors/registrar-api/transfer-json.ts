import { namedColumns } from '../../platform/sql/columns.ts';
import { textObject, textOf, textOfJson } from '../../platform/sql/json-text.ts';
import { compactObject, constant, sql } from '../../platform/sql/statement.ts';
import { ADDRESS, CONTACT, contactStatusNames, IDENT } from '../../registry/contacts/contact-members.ts';
import { contactsInRole, ofRegistrant, textOfLinks } from '../../registry/domains/readings/domain-links.ts';
import { DOMAIN } from '../../registry/domains/readings/domain-members.ts';

const person = textOfJson(
  compactObject(
    namedColumns({
      code: CONTACT.code,
      phone: CONTACT.phone,
      email: CONTACT.email,
      ident: IDENT.ident,
      ident_type: IDENT.type,
      name: CONTACT.name,
      ident_country_code: IDENT.countryCode,
      city: ADDRESS.city,
      street: sql`array_to_string(${ADDRESS.street}, ', ')`,
      zip: ADDRESS.postalCode,
      country_code: ADDRESS.countryCode,
      statuses: contactStatusNames(sql`true`),
    }),
  ),
);

/** The people behind a domain. */
export const TRANSFER_INFO = constant(
  textObject({
    domain: textOf(DOMAIN.name),
    registrant: ofRegistrant(() => person),
    admin_contacts: textOfLinks(contactsInRole('admin'), () => person),
    tech_contacts: textOfLinks(contactsInRole('tech'), () => person),
  }),
);
