import { namedColumns } from '../../platform/sql/columns.ts';
import { compactObject, constant, isoTime } from '../../platform/sql/statement.ts';
import { LINKS, writtenLinks } from '../../registry/contacts/contact-links.ts';
import {
  CONTACT,
  contactStatuses,
  IDENT,
  ofContactSponsor,
  REFERENCE,
} from '../../registry/contacts/contact-members.ts';
import { contactReader } from '../../registry/contacts/read-contact.ts';

/** How this API calls the roles of contacts. */
export const ROLES = {
  registrant: 'Registrant',
  admin: 'AdminDomainContact',
  tech: 'TechDomainContact',
};

const { code, name, email, phone, authInfo, disclosedAttributes } = CONTACT;
export const ident = compactObject(
  namedColumns({
    code: IDENT.ident,
    type: IDENT.type,
    country_code: IDENT.countryCode,
  }),
);
export const registrar = ofContactSponsor((sponsor) => compactObject(namedColumns(sponsor)));

/** A contact with the first of its domains. */
export const CONTACT_JSON = {
  contact: constant(
    compactObject(
      namedColumns({
        code,
        name,
        ident,
        email,
        phone,
        auth_info: authInfo,
        statuses: contactStatuses(LINKS.isLinked, 'null'),
        disclosed_attributes: disclosedAttributes,
        reference: REFERENCE,
        registrar,
        domains: LINKS.domains,
        domains_count: LINKS.total,
      }),
    ),
  ),
  links: writtenLinks(ROLES, (domain) =>
    compactObject(
      namedColumns({ name: domain.name, roles: domain.roles, expire_time: isoTime(domain.expireTime) }),
    ),
  ),
};

export const readContactJson = contactReader(CONTACT_JSON);
export const readSimpleContact = contactReader({ contact: compactObject(namedColumns({ code, name })) });
