import type { Temporal } from 'temporal-polyfill';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import { isBlank, isLengthWithin } from '../../platform/values/normalise-text.ts';
import { DISCLOSED_ATTRIBUTES, type DisclosedAttribute, type Policy } from '../../policy/policy.ts';
import { refusal } from './contact-refusals.ts';
import { isReference, REFERENCE_EXPECTED } from '../own-reference.ts';
import { type Ident, type IdentPart, type IdentText, parseIdent, partOfIdent } from './ident.ts';
import { type AddressText, isAddressDiscarded, type PostalAddress, parseAddress } from './postal-address.ts';

declare const checked: unique symbol;
type Checked<Name extends string> = string & { readonly [checked]: Name };

/** Branded types: only the parsers create them, so operations take no unchecked text. */
export type ContactCode = Checked<'contact code'>;
export type PersonOrCompanyName = Checked<'name'>;
export type Email = Checked<'email'>;
export type Phone = Checked<'phone'>;
export type AuthInfo = Checked<'auth info'>;

/** A contact as sent by a client: any field may be absent. */
export type ContactText = {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly ident?: IdentText | undefined;
  readonly address?: AddressText | undefined;
  /** Generated for a new contact if absent. */
  readonly authInfo?: string | undefined;
  /** What the contact lets the registry publish; nothing for a new contact if absent. */
  readonly disclosedAttributes?: readonly string[] | undefined;
  /** Null removes it. */
  readonly reference?: string | null | undefined;
};

/** The fields that were present, each in its own type. */
export type ContactFields = {
  readonly code?: ContactCode;
  readonly name?: PersonOrCompanyName;
  readonly email?: Email;
  readonly phone?: Phone;
  readonly ident?: Ident;
  readonly address?: PostalAddress;
  readonly authInfo?: AuthInfo;
  /** Each once, in the order of DISCLOSED_ATTRIBUTES. */
  readonly disclosedAttributes?: readonly DisclosedAttribute[];
  /** The sponsor's own note. */
  readonly reference?: string | null;
};

// Linear in the length of the text: no group repeats inside a repeated group.
const EMAIL =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@([\p{L}\p{N}-]{1,63}\.){1,8}(\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu;
const CODE = /^[A-Za-z0-9_:.-]+$/;
const MAX_AUTH_INFO = 64;

const NAME_EXPECTED = 'a name without markup, and without symbols for a person, of at most 255 characters';

/** Whether a text is an address that mails of the registry can go to. */
export const isEmail = (text: string, { contacts }: Policy): text is Email =>
  text.length <= contacts.emailLength &&
  EMAIL.test(text) &&
  !/\.\.|^\.|\.@|@-|-\.|\.-/.test(text) &&
  !contacts.forbiddenAnywhere.test(text);

/** For a new name of a contact whose identification is unchanged: the rule for names depends on its type. */
export function checkSymbolsInPersonName(
  name: string | undefined,
  { type }: Ident,
  policy: Policy,
): Refusal[] {
  if (name === undefined || type === 'org' || !policy.contacts.forbiddenInPersonNames.test(name)) return [];
  return [refusal('wrongSyntax', { at: ['name'], expected: NAME_EXPECTED })];
}

/** Checks every field that is present and returns all failures, in the order of the document. */
export function parseContactFields(
  text: ContactText,
  policy: Policy,
  today: Temporal.PlainDate,
): Parsed<ContactFields> {
  const refusals: Refusal[] = [];
  const check = <T extends string>(
    name: 'code' | 'name' | 'email' | 'phone' | 'authInfo',
    value: string | undefined,
    expected: string,
    ok: (value: string) => boolean,
  ) => {
    if (value === undefined) return undefined;
    if (isBlank(value)) refusals.push(refusal('fieldMissing', { at: [name] }));
    else if (!ok(value)) refusals.push(refusal('wrongSyntax', { at: [name], expected }));
    return value as T;
  };
  const { contacts: rules } = policy;
  const clean = (value: string) => !rules.forbiddenAnywhere.test(value);
  const person = text.ident !== undefined && text.ident.type !== 'org';

  const code = check<ContactCode>(
    'code',
    text.code,
    `1 to ${rules.codeLength} letters, digits and _ : . -`,
    (value) => isContactCode(value, policy),
  );
  const name = check<PersonOrCompanyName>(
    'name',
    text.name?.trim(),
    NAME_EXPECTED,
    (value) =>
      isLengthWithin(value, { max: rules.nameLength }) &&
      clean(value) &&
      !(person && rules.forbiddenInPersonNames.test(value)),
  );
  const email = check<Email>('email', text.email?.trim(), 'an e-mail address', (value) =>
    isEmail(value, policy),
  );
  const phone = check<Phone>('phone', text.phone, 'a phone number such as +372.5555555', (value) =>
    isPhone(value, policy),
  );
  const ident = text.ident && parseIdent(text.ident, policy, today);
  if (ident && 'refusals' in ident) refusals.push(...ident.refusals);
  const isStored = text.address !== undefined && !isAddressDiscarded(text, policy);
  const address = isStored ? parseAddress(text.address, policy) : undefined;
  if (address && 'refusals' in address) refusals.push(...address.refusals);
  const authInfo = check<AuthInfo>(
    'authInfo',
    text.authInfo,
    `1 to ${MAX_AUTH_INFO} characters without control characters`,
    (value) => isLengthWithin(value, { max: MAX_AUTH_INFO }) && !/\p{Cc}/u.test(value),
  );
  refusals.push(...checkDisclosed(text.disclosedAttributes ?? []), ...checkReference(text.reference));
  if (refusals.length > 0) return { refusals };
  return {
    value: {
      ...(code !== undefined && { code }),
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(ident && 'value' in ident && { ident: ident.value }),
      ...(address && 'value' in address && { address: address.value }),
      ...(authInfo !== undefined && { authInfo }),
      ...(text.disclosedAttributes && {
        disclosedAttributes: DISCLOSED_ATTRIBUTES.filter((each) => text.disclosedAttributes?.includes(each)),
      }),
      ...(text.reference !== undefined && { reference: text.reference }),
    },
  };
}

const checkReference = (reference: string | null | undefined): Refusal[] =>
  typeof reference !== 'string' || isReference(reference)
    ? []
    : [refusal('wrongSyntax', { at: ['reference'], expected: REFERENCE_EXPECTED })];

const checkDisclosed = (attributes: readonly string[]): Refusal[] =>
  attributes.flatMap((attribute, index) => {
    if (DISCLOSED_ATTRIBUTES.some((known) => known === attribute)) return [];
    const expected = `one of ${DISCLOSED_ATTRIBUTES.join(', ')}`;
    return [refusal('wrongSyntax', { at: ['disclosedAttributes', index], expected })];
  });

/** What a change of a contact may carry; its identification is compared member by member. */
export type ContactChanges = Omit<ContactFields, 'code' | 'ident'> & { readonly identPart?: IdentPart };

/** Like parseContactFields, for a change: whichever of its members is wrong, an identification is another than the stored. */
export function parseContactChange(
  text: Omit<ContactText, 'code'>,
  policy: Policy,
  today: Temporal.PlainDate,
): Parsed<ContactChanges> {
  const { ident, ...others } = text;
  const parsed = parseContactFields(others, policy, today);
  if ('refusals' in parsed || ident === undefined) return parsed;
  return { value: { ...parsed.value, identPart: partOfIdent(ident) } };
}

type OptionalField = 'code' | 'address' | 'authInfo' | 'disclosedAttributes' | 'reference';
export type NewContact = Required<Omit<ContactFields, OptionalField>> & Pick<ContactFields, OptionalField>;

/** Like parseContactFields, for a new contact: its code, auth_info, preference and reference are optional, and its address by policy. */
export function parseNewContact(
  text: ContactText,
  policy: Policy,
  today: Temporal.PlainDate,
): Parsed<NewContact> {
  const parsed = parseContactFields(text, policy, today);
  const given = 'value' in parsed ? parsed.value : {};
  const required = ['name', 'email', 'phone', 'ident'] as const;
  const missing = [
    ...required,
    ...(policy.contacts.address === 'required' ? (['address'] as const) : []),
  ].filter((field) => text[field] === undefined);
  const refusals = [
    ...('refusals' in parsed ? parsed.refusals : []),
    ...missing.map((field) => refusal('fieldMissing', { at: [field] })),
  ];
  const { name, email, phone, ident, ...optional } = given;
  if (refusals.length > 0 || !name || !email || !phone || !ident) return { refusals };
  return { value: { name, email, phone, ident, ...optional } };
}

export const isPhone = (text: string, { contacts: { phoneLength, phone } }: Policy): boolean =>
  text.length <= phoneLength && phone.test(text);

export function isContactCode(text: string, policy: Policy): text is ContactCode {
  // A code of dots only would be a relative path segment in a URL.
  return text.length <= policy.contacts.codeLength && CODE.test(text) && !/^\.{1,2}$/.test(text);
}

/** Codes and names are matched case-insensitively. */
export const searchKey = (text: string): string => text.toLowerCase();
