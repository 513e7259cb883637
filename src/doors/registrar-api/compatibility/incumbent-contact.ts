import { namedColumns } from '../../../platform/sql/columns.ts';
import { compactObject, constant, isoTime, sql } from '../../../platform/sql/statement.ts';
import { LINKS, writtenLinks } from '../../../registry/contacts/contact-links.ts';
import { CONTACT, contactStatuses, IS_LINKED } from '../../../registry/contacts/contact-members.ts';
import { contactReader } from '../../../registry/contacts/read-contact.ts';
import { objectUuid } from '../../../registry/object-uuid.ts';
import { ident, ROLES, registrar } from '../contact-json.ts';

const { id, code, name, email, phone, authInfo, disclosedAttributes } = CONTACT;
const NONE = sql`null::text`;
/** Contacts are not verified here: what says so is empty. */
const members = {
  code,
  name,
  ident,
  phone,
  created_at: isoTime(CONTACT.createdAt),
  auth_info: authInfo,
  email,
  statuses: contactStatuses(IS_LINKED, '""'),
  disclosed_attributes: disclosedAttributes,
  registrar,
  ident_request_sent_at: NONE,
  verified_at: NONE,
  verification_id: NONE,
  verification_pending_at: NONE,
  verification_snapshot: sql`'{}'::json`,
};

/** A contact in a list: with its time of creation and without its domains. */
export const LISTED_CONTACT = { contact: constant(compactObject(namedColumns(members))) };

export const readExtendedContact = contactReader({
  contact: compactObject(namedColumns({ ...members, domains: LINKS.domains, domains_count: LINKS.total })),
  links: writtenLinks(ROLES, (domain) =>
    compactObject(
      namedColumns({
        id: objectUuid('domain', domain.id),
        name: domain.name,
        registrar: compactObject(namedColumns({ name: domain.sponsorName })),
        valid_to: isoTime(domain.expireTime),
        roles: domain.roles,
        expire_time: isoTime(domain.expireTime),
      }),
    ),
  ),
});

/** Only id, code and name. */
export const readContactId = contactReader({
  contact: compactObject(namedColumns({ id: objectUuid('contact', id), code, name })),
});
