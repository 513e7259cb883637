import { countries } from '../../../policy/countries.ts';
import { DISCLOSED_ATTRIBUTES, type Policy } from '../../../policy/policy.ts';
import type { Parsed } from '../../../operations/refusal.ts';
import { dayIn } from '../../../platform/values/dates.ts';
import {
  type ContactText,
  type NewContact,
  parseNewContact,
} from '../../../registry/contacts/contact-fields.ts';
import { identTypes } from '../../../registry/contacts/ident.ts';
import type { OwnContact } from '../../../registry/contacts/search-contacts.ts';
import {
  type AddressText,
  addressLine,
  type PostalAddress,
} from '../../../registry/contacts/postal-address.ts';
import { CHECKED, type Field, type FieldGroup } from '../../html/form.ts';
import { countryIn, isolated } from '../../html/language.ts';
import type { Language } from '../../html/layout.ts';
import { listed } from '../domains/preview-lists.ts';
import type { Facts, Values } from '../form-definition.ts';
import type { FormInput } from '../console-page.ts';
import { type ContactFieldName, contactFormTexts } from './contact-form-texts.ts';

export const countryChoices = (lang: Language): (readonly [string, string])[] =>
  [...countries]
    .map((code) => [code, countryIn(lang, code)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, lang));

/** A text field, which begins with what is stored. */
export function textField(
  name: ContactFieldName,
  values: Values,
  lang: Language,
  { initial = '', ...more }: Partial<Field> & { readonly initial?: string | undefined } = {},
): Field {
  const { fields, hints } = contactFormTexts(lang);
  const hint = hints[name];
  return {
    name,
    label: fields[name],
    value: values(name, initial),
    ...(hint !== undefined && { hint }),
    ...more,
  };
}

/** What a new contact and a changed one have in common. */
export const personFields = (values: Values, lang: Language, stored?: OwnContact): Field[] => [
  textField('name', values, lang, { initial: stored?.name, maxLength: 255 }),
  textField('email', values, lang, { initial: stored?.email, type: 'email', autocomplete: 'off' }),
  textField('phone', values, lang, { initial: stored?.phone, type: 'tel', autocomplete: 'off' }),
];

/** The postal address, if the policy has one, and what may be published. */
export function furtherFields(
  values: Values,
  lang: Language,
  policy: Policy,
  stored?: OwnContact,
): FieldGroup[] {
  const texts = contactFormTexts(lang);
  const address = stored?.address;
  const isOptional = policy.contacts.address !== 'required';
  const optional = (name: ContactFieldName, initial: string | undefined, more: Partial<Field> = {}) =>
    textField(name, values, lang, { initial, isOptional: true, ...more });
  const fields = [
    optional('street', address?.street?.join('\n'), { lines: 3 }),
    optional('city', address?.city, { isOptional }),
    optional('state', address?.state),
    optional('postalCode', address?.postalCode, { maxLength: 16 }),
    optional('country', address?.countryCode, {
      isOptional,
      choices: [['', texts.noCountry] as const, ...countryChoices(lang)],
    }),
  ];
  const boxes = DISCLOSED_ATTRIBUTES.map((attribute) => ({
    name: `disclose-${attribute}`,
    type: 'checkbox' as const,
    label: texts.attributes[attribute],
    value: values(`disclose-${attribute}`, stored?.disclosedAttributes.includes(attribute) ? CHECKED : ''),
  }));
  return [
    ...(policy.contacts.address === 'none' ? [] : [{ legend: texts.address, fields }]),
    { legend: texts.disclosure, hint: texts.disclosureHint, fields: boxes },
  ];
}

/** All fields of a new contact. */
export function newContactFields(values: Values, lang: Language, policy: Policy): (Field | FieldGroup)[] {
  const texts = contactFormTexts(lang);
  const kinds = identTypes.map((type) => [type, texts.identTypes[type]] as const);
  return [
    ...personFields(values, lang),
    {
      legend: texts.identification,
      fields: [
        textField('identType', values, lang, { choices: kinds }),
        textField('ident', values, lang, { autocomplete: 'off' }),
        textField('identCountry', values, lang, {
          initial: policy.country,
          choices: countryChoices(lang),
        }),
      ],
    },
    ...furtherFields(values, lang, policy),
    textField('id', values, lang, { isOptional: true, maxLength: policy.contacts.codeLength }),
  ];
}

export function readNewContact(
  form: Pick<FormInput, 'field'>,
  policy: Policy,
  now: Date,
): Parsed<NewContact> {
  const text = (name: ContactFieldName) => form.field(name).trim();
  const ident = { ident: text('ident'), type: text('identType'), countryCode: text('identCountry') };
  const contact = { ...readCommon(form), ident, ...(text('id') !== '' && { code: text('id') }) };
  return parseNewContact(contact, policy, dayIn(policy.timeZone, now));
}

type CommonText = Required<Pick<ContactText, 'name' | 'email' | 'phone' | 'disclosedAttributes'>> &
  Pick<ContactText, 'address'>;

/** A contact as the form has it; an address only if there was one or any of it is filled in. */
export function readCommon(form: Pick<FormInput, 'field'>, stored?: OwnContact): CommonText {
  const text = (name: string) => form.field(name).trim();
  const given = (name: string) => (text(name) === '' ? undefined : text(name));
  const street = text('street')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const address: AddressText = {
    street: street.length === 0 ? undefined : street,
    city: given('city'),
    state: given('state'),
    postalCode: given('postalCode'),
    countryCode: given('country'),
  };
  const isGiven = Object.values(address).some((member) => member !== undefined);
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    disclosedAttributes: DISCLOSED_ATTRIBUTES.filter((each) => form.field(`disclose-${each}`) === CHECKED),
    ...((isGiven || stored?.address) && { address }),
  };
}

type Shown = {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly address?: PostalAddress;
  readonly disclosedAttributes?: readonly (typeof DISCLOSED_ATTRIBUTES)[number][];
};

export function contactFacts(contact: Shown, lang: Language): Facts {
  const { fields, address: label, disclosure, attributes, nothingDisclosed } = contactFormTexts(lang);
  const { address, disclosedAttributes = [] } = contact;
  const disclosed = disclosedAttributes.map((each) => attributes[each]);
  return [
    [fields.name, isolated(contact.name ?? '')],
    [fields.email, isolated(contact.email ?? '')],
    [fields.phone, contact.phone],
    [label, address && isolated(addressLine(address, countryIn(lang, address.countryCode)))],
    [disclosure, listed(disclosed) || nothingDisclosed],
  ];
}
