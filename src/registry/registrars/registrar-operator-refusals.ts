import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about registrars. */
export const registrarRefusals = {
  registrarMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no registrar {registrar}',
    when: 'no registrar has the code',
  },
  registrarTaken: {
    code: 2302,
    kind: 'rule',
    text: 'There is a registrar {registrar} already',
    when: 'a new registrar is to have the code of another',
  },
  registrarCodeInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'A registrar code has 3 to 16 capital letters, digits, _ and -',
    when: 'a new registrar is to have a code that EPP cannot show',
  },
  registrarNameEmpty: {
    code: 2003,
    kind: 'syntax',
    text: 'A registrar needs a name that is not empty',
    when: 'a registrar is to have a name without visible characters',
  },
  websiteInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is an address such as https://gamma.example, or empty',
    when: 'the website of a registrar cannot be a link',
  },
  phoneInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is a phone number such as +372.6123456, or the word none',
    when: 'a phone number of a registrar cannot be one',
  },
  emailInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is an e-mail address, or the word none',
    when: 'an e-mail address of a registrar cannot be one',
  },
  nothingToChange: {
    code: 2003,
    kind: 'syntax',
    text: 'Give {what}',
    when: 'a change names nothing that is to be changed',
  },
  countryUnknown: {
    code: 2005,
    kind: 'syntax',
    text: '{country} is no country code such as EE',
    when: 'the country of a registrar is not in ISO 3166',
  },
  textTooLong: {
    code: 2004,
    kind: 'syntax',
    text: '{text} has more than {most} characters',
    when: 'a detail of a registrar is longer than the format of e-invoices allows',
  },
} as const satisfies Catalogue;
