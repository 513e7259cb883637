import { type Catalogue, defineRefusals, type Path, type RefusalMaker } from '../operations/refusal.ts';

/** Why the registry's staff cannot do something: whole sentences without their full stop. */
export const catalogue = {
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
  // API users
  userMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no user {username}',
    when: 'no API user has the name, or it is one of another registrar',
  },
  usernameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'A username has 1 to 64 letters, digits and . _ @ -',
    when: 'a new API user is to have a name that is none',
  },
  usernameTaken: {
    code: 2302,
    kind: 'rule',
    text: 'User {username} was not made: username taken',
    when: 'a new API user is to have the name of another',
  },
  userRegistrarMissing: {
    code: 2303,
    kind: 'rule',
    text: 'User {username} was not made: no such registrar',
    when: 'a new API user is to act for a registrar that does not exist',
  },
  userPasswordLength: {
    code: 2004,
    kind: 'syntax',
    text: 'A password has {least} to {most} characters',
    when: 'the password that an operator gives an API user is too short or too long',
  },
  // Allowed addresses
  addressRangeInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{range} is neither an address nor a CIDR range',
    when: 'what is to be put on a list of addresses, or taken off it, is no range',
  },
  addressRegistrarMissing: {
    code: 2303,
    kind: 'rule',
    text: '{range} was not entered: no such registrar',
    when: 'an address is to be allowed for a registrar that does not exist',
  },
  addressesTaken: {
    code: 2302,
    kind: 'rule',
    text: '{range} was not entered: already allowed',
    when: 'a range is to be put on a list that has it',
  },
  tooManyAddresses: {
    code: 2308,
    kind: 'rule',
    text: '{range} was not entered: too many',
    when: 'a list of addresses would have more than 256 ranges',
  },
  addressesNotListed: {
    code: 2303,
    kind: 'rule',
    text: '{registrar} has no range {range} on the list',
    when: 'a range is to be taken off a list that does not have it',
  },
  ownAddressOutside: {
    code: 2308,
    kind: 'rule',
    text: 'Your own address {address} would not be on the list, and you would be shut out',
    when: 'somebody changes the list of addresses by which this person is let in',
  },
} as const satisfies Catalogue;

/** Places of the commands of operators. */
export type OperatorPath = readonly ['website' | 'phone' | 'abuseEmail' | 'abusePhone'];

export const operatorRefusals = <At extends Path>(): RefusalMaker<typeof catalogue, At> =>
  defineRefusals<typeof catalogue, At>(catalogue);

const maker = operatorRefusals<OperatorPath>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
