import type { ContactField, DomainRole } from '../../policy/policy.ts';
import type { DisclosedContact, DisclosedContacts } from '../../registry/lookup/disclosure.ts';
import { isReachedByForm, RDAP_ROLES } from './contact-entity.ts';
import { ADDRESS_COMPONENTS } from './jcard.ts';
import type { Redaction } from './rdap-objects.ts';

const REASON = { description: 'Server policy' };
/** How the gTLD profile of ICANN calls the roles in the names of fields. */
const LABELS: Readonly<Record<DomainRole, string>> = {
  registrant: 'Registrant',
  admin: 'Admin',
  tech: 'Tech',
};
const ROLE_NAMES = { admin: 'Administrative Contact', tech: 'Technical Contact' } as const;

/** The names that are registered for redacted fields; others are described. */
const REGISTERED_NAMES: ReadonlySet<string> = new Set([
  'Registry Registrant ID',
  'Registrant Name',
  'Registrant Organization',
  'Registrant Street',
  'Registrant City',
  'Registrant Postal Code',
  'Registrant Phone',
  'Registrant Email',
  'Registry Tech ID',
  'Tech Name',
  'Tech Phone',
  'Tech Email',
]);

/**
 * What is hidden of the contacts, computed from the same values as their entities, so that what is announced is what is
 * done. `firstContact` is the place of the first contact among the entities of the domain.
 */
export function redactionsOf(
  { contacts, omittedRoles }: DisclosedContacts,
  firstContact: number,
): readonly Redaction[] {
  return [
    ...contacts.flatMap((contact, index) => contactRedactions(contact, firstContact + index)),
    ...omittedRoles.map((role) => omission(role, contacts)),
  ];
}

const MAX_KNOWN_TEXTS = 1_000;
const knownTexts = new Map<string, string>();

/**
 * The list as JSON, undefined if it is empty. It is half of an answer and depends on little: what is hidden, not of
 * whom. So each is made once.
 */
export function redactionsText(disclosed: DisclosedContacts, firstContact: number): string | undefined {
  const key = keyOf(disclosed, firstContact);
  const known = knownTexts.get(key);
  if (known !== undefined) return known || undefined;
  const redactions = redactionsOf(disclosed, firstContact);
  const text = redactions.length === 0 ? '' : JSON.stringify(redactions);
  if (knownTexts.size >= MAX_KNOWN_TEXTS) knownTexts.clear();
  knownTexts.set(key, text);
  return text || undefined;
}

/** Everything that a redaction is computed from. */
function keyOf({ contacts, omittedRoles }: DisclosedContacts, firstContact: number): string {
  let key = `${firstContact} ${omittedRoles.join()}`;
  for (const { role, kind, redacted, shown } of contacts)
    key += ` ${role} ${kind} ${redacted.join()} ${shown.address ? 'address' : ''}`;
  return key;
}

function contactRedactions(contact: DisclosedContact, place: number): Redaction[] {
  // There is one registrant; of the others there may be several, which a filter would not tell apart.
  const entity =
    contact.role === 'registrant' ? "$.entities[?(@.roles[0]=='registrant')]" : `$.entities[${place}]`;
  return contact.redacted.flatMap((field) => REDACTIONS[field](LABELS[contact.role], entity, contact));
}

const REDACTIONS: Readonly<
  Record<ContactField, (label: string, entity: string, contact: DisclosedContact) => readonly Redaction[]>
> = {
  code: (label, entity) => [removal(`Registry ${label} ID`, `${entity}.handle`)],
  name: (label, entity, { kind }) => [
    emptyValue(`${label} Name`, `${property(entity, 'fn')}[3]`),
    ...(kind === 'organisation' ? [removal(`${label} Organization`, property(entity, 'org'))] : []),
  ],
  ident: (label, entity) => [removal(`${label} Identification Code`, `${entity}.publicIds`)],
  // The country of an address that is shown says nothing about this one.
  country: (label, entity, { shown }) => [
    removal(
      `${label} Identification Country`,
      shown.address ? undefined : `${property(entity, 'adr')}[1].cc`,
    ),
  ],
  email: (label, entity, contact) => [
    isReachedByForm(contact)
      ? replacement(`${label} Email`, property(entity, 'email'), property(entity, 'contact-uri'))
      : removal(`${label} Email`, property(entity, 'email')),
  ],
  phone: (label, entity) => [removal(`${label} Phone`, property(entity, 'tel'))],
  address: (label, entity) => {
    const component = (name: string, place: number) =>
      emptyValue(`${label} ${name}`, `${property(entity, 'adr')}[3][${place}]`);
    const { street, city, state, postalCode } = ADDRESS_COMPONENTS;
    return [
      component('Street', street),
      component('City', city),
      component('State/Province', state),
      component('Postal Code', postalCode),
    ];
  },
};

/** Contacts of which nothing is shown are left out, whether or not there are any. */
const omission = (role: 'admin' | 'tech' | 'registrant', contacts: readonly DisclosedContact[]): Redaction =>
  removal(
    role === 'registrant' ? 'Registrant Contact' : ROLE_NAMES[role],
    contacts.some((contact) => contact.role === role)
      ? undefined
      : `$.entities[?(@.roles[0]=='${RDAP_ROLES[role]}')]`,
  );

const property = (entity: string, name: string): string => `${entity}.vcardArray[1][?(@[0]=='${name}')]`;

const nameOf = (name: string): Redaction['name'] =>
  REGISTERED_NAMES.has(name) ? { type: name } : { description: name };

const removal = (name: string, prePath: string | undefined): Redaction => ({
  name: nameOf(name),
  ...(prePath !== undefined && { prePath, pathLang: 'jsonpath' as const }),
  method: 'removal',
  reason: REASON,
});

const emptyValue = (name: string, postPath: string): Redaction => ({
  name: nameOf(name),
  postPath,
  pathLang: 'jsonpath',
  method: 'emptyValue',
  reason: REASON,
});

const replacement = (name: string, prePath: string, replacementPath: string): Redaction => ({
  name: nameOf(name),
  prePath,
  replacementPath,
  pathLang: 'jsonpath',
  method: 'replacementValue',
  reason: REASON,
});
