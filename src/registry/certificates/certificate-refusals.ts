import { type Catalogue, defineRefusals } from '../../operations/refusal.ts';

/** Reasons why a certificate is not signed or recorded, each in one sentence for the operator. */
export const catalogue = {
  certificateUserMissing: {
    code: 2303,
    kind: 'rule',
    text: 'There is no user {username}; the CN must be the username.',
    when: 'a certificate or a request names a user that does not exist',
  },
  tooManyCertificates: {
    code: 2304,
    kind: 'rule',
    text: 'User {username} has {count} valid certificates already; revoke one first.',
    when: 'a user would have more than two valid certificates',
  },
  certificateTaken: {
    code: 2302,
    kind: 'rule',
    text: 'This certificate is on record already.',
    when: 'a certificate is entered twice',
  },
  authorityExpired: {
    code: 2304,
    kind: 'rule',
    text: 'The authority itself has expired; make a new one.',
    when: 'a request is to be signed by an expired authority',
  },
  authorityNotTrusted: {
    code: 2308,
    kind: 'rule',
    text: 'No authority that we trust has signed this certificate; see cadastre ca trust.',
    when: 'a certificate of an unknown authority is to be entered',
  },
  notACertificate: {
    code: 2005,
    kind: 'rule',
    text: 'This is no certificate in PEM.',
    when: 'what is to be entered cannot be read',
  },
  certificateExpired: {
    code: 2304,
    kind: 'rule',
    text: 'This certificate has expired.',
    when: 'an expired certificate is to be entered',
  },
} as const satisfies Catalogue;

const maker = defineRefusals(catalogue);
export const refuse: typeof maker.refuse = maker.refuse;
