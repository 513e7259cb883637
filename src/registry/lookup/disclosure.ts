import type {
  Audience,
  ContactField,
  ContactKind,
  DisclosedAttribute,
  Disclosure,
  DisclosureRules,
  DomainRole,
} from '../../policy/policy.ts';
import type { Ident } from '../contacts/ident.ts';
import type { PostalAddress } from '../contacts/postal-address.ts';

type ContactFields = {
  readonly code: string;
  readonly name: string;
  readonly ident: Pick<Ident, 'ident' | 'type'>;
  /** Of the identification. */
  readonly country: string;
  readonly email: string;
  readonly phone: string;
  readonly address: PostalAddress | null;
};

/** A contact of a domain, with at least those fields that its viewer is shown. */
export type LinkedContact = {
  readonly role: DomainRole;
  readonly kind: ContactKind;
  readonly disclosedAttributes: readonly DisclosedAttribute[];
} & { readonly [Field in ContactField]?: ContactFields[Field] | null };

/** What a viewer sees of a contact. */
export type DisclosedContact = {
  readonly role: DomainRole;
  readonly kind: ContactKind;
  readonly shown: Partial<ContactFields>;
  /** Fields that are hidden, whether or not the contact has them. */
  readonly redacted: readonly ContactField[];
};

export type DisclosedContacts = {
  readonly contacts: readonly DisclosedContact[];
  /**
   * Roles of which contacts that show nothing are left out: how many there are tells something of the registrant. They
   * follow from the policy alone, so that naming them tells nothing either.
   */
  readonly omittedRoles: readonly DomainRole[];
};

const FIELDS: readonly ContactField[] = ['code', 'name', 'ident', 'country', 'email', 'phone', 'address'];
const KINDS: readonly ContactKind[] = ['person', 'organisation'];

/** The one place where the policy decides what of a domain's contacts is shown. A registrant is always there, if without fields. */
export function discloseContacts(
  contacts: readonly LinkedContact[],
  audience: Audience,
  disclosure: Disclosure,
): DisclosedContacts {
  const rules = disclosure[audience];
  return {
    contacts: contacts
      .map((contact) => discloseContact(contact, rules[contact.role][contact.kind]))
      .filter(({ role, shown }) => role === 'registrant' || Object.keys(shown).length > 0),
    omittedRoles: (['admin', 'tech'] as const).filter((role) =>
      KINDS.some((kind) => FIELDS.every((field) => rules[role][kind][field] !== 'shown')),
    ),
  };
}

function discloseContact(contact: LinkedContact, rules: DisclosureRules): DisclosedContact {
  const isShown = (field: ContactField): boolean =>
    rules[field] === 'shown' ||
    (rules[field] === 'preference' && (contact.disclosedAttributes as readonly string[]).includes(field));
  const { role, kind } = contact;
  return {
    role,
    kind,
    shown: Object.fromEntries(
      FIELDS.flatMap((field) => (isShown(field) && contact[field] != null ? [[field, contact[field]]] : [])),
    ),
    redacted: FIELDS.filter((field) => !isShown(field)),
  };
}
