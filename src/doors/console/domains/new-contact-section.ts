import type { NameTable } from '../../../operations/named-refusal.ts';
import type { Parsed } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { NewContact } from '../../../registry/contacts/contact-fields.ts';
import {
  type NewContactRole,
  placedAtContact,
} from '../../../registry/domains/create-domain-with-contact.ts';
import { CHECKED, type Field, type FieldGroup, withFields } from '../../html/form.ts';
import type { FormInput, Visit } from '../console-page.ts';
import { newContactFields, readNewContact } from '../contacts/contact-form.ts';
import type { Values } from '../form-definition.ts';
import { refusal } from '../form-refusals.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';

/** The form has fields of the same name about the domain. */
const PREFIX = 'contact-';
const ROLES: readonly NewContactRole[] = ['registrant', 'admin', 'tech'];
export const REGISTRANT_BOX = roleField('registrant');
/** Whichever of them is filled in, a contact is wanted; lists and boxes begin with a choice. */
const TEXTS = ['name', 'email', 'phone', 'ident', 'id', 'street', 'city', 'state', 'postalCode', 'country'];

/** The fields of the section by the places of the operation. */
export const NEW_CONTACT_FIELDS: NameTable = Object.fromEntries(
  Object.entries(CONTACT_FIELDS).map(([place, name]) => [`contact.${place}`, name && PREFIX + name]),
);

function roleField(role: NewContactRole): string {
  return `${PREFIX}as-${role}`;
}

const isWanted = (value: (name: string) => string): boolean =>
  TEXTS.some((name) => value(PREFIX + name).trim() !== '');

/** The section of a registration in which a contact is created with the domain. */
export function newContactSection(values: Values, { lang }: Visit, policy: Policy): FieldGroup {
  const { newContact } = changeTexts(lang);
  const own: Values = (name, initial) => values(PREFIX + name, initial);
  // Browsers must not demand what is needed only if the section is used.
  const prefixed = (field: Field): Field => ({ ...field, name: PREFIX + field.name, isOptional: true });
  const items = newContactFields(own, lang, policy).map((item) => withFields(item, prefixed));
  const isFirst = values('registrant') === '';
  const boxes = ROLES.map((role) => ({
    name: roleField(role),
    type: 'checkbox' as const,
    label: newContact.roles[role],
    value: values(roleField(role), role === 'registrant' && isFirst ? CHECKED : ''),
  }));
  return {
    legend: newContact.legend,
    hint: newContact.hint,
    folded: { isOpen: isWanted((name) => values(name)) },
    fields: items.filter((item) => !('legend' in item)) as Field[],
    groups: [
      ...(items.filter((item) => 'legend' in item) as FieldGroup[]),
      { legend: newContact.as, fields: boxes },
    ],
  };
}

export type NewContactSection = { readonly contact: NewContact; readonly roles: readonly NewContactRole[] };

/** What the section asks for; undefined if nothing is filled in. */
export function readNewContactSection(
  { field }: FormInput,
  policy: Policy,
  now: Date,
): Parsed<NewContactSection> | undefined {
  if (!isWanted(field)) return undefined;
  const roles = ROLES.filter((role) => field(roleField(role)) === CHECKED);
  const parsed = readNewContact({ field: (name) => field(PREFIX + name) }, policy, now);
  const isTwice = roles.includes('registrant') && field('registrant').trim() !== '';
  const refusals = [
    ...('refusals' in parsed ? parsed.refusals.map(placedAtContact) : []),
    ...(roles.length === 0 ? [refusal('noContactRole', { field: REGISTRANT_BOX })] : []),
    ...(isTwice ? [refusal('twoRegistrants', { field: 'registrant' })] : []),
  ];
  return refusals.length > 0 || 'refusals' in parsed
    ? { refusals }
    : { value: { contact: parsed.value, roles } };
}
