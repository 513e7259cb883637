import { type Catalogue, defineRefusals } from '../../operations/refusal.ts';

/** Why the registry's staff, or a registrar, cannot do something with certificates: whole sentences without their full stop. */
export const catalogue = {
  // authorities
  authorityNameEmpty: {
    code: 2003,
    kind: 'syntax',
    text: 'An authority needs a name that is not empty',
    when: 'an authority is to have a name without visible characters',
  },
  authoritySigns: {
    code: 2302,
    kind: 'rule',
    text: 'Authority {id} signs already; {field} makes another',
    when: 'an authority is to be made beside the one that signs, and not to replace it',
  },
  authorityKnown: {
    code: 2302,
    kind: 'rule',
    text: 'This authority is known already; see cadastre ca list',
    when: 'an authority is to be trusted that is, or was',
  },
  authorityMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no authority {id} that is trusted',
    when: 'no authority has the number, or it is retired, or not our own where a list is to be signed',
  },
  ownAuthorityMissing: {
    code: 2304,
    kind: 'rule',
    text: 'There is no authority of our own yet; make one with cadastre ca init',
    when: 'something is to be signed, and no authority of our own signs',
  },
  authorityKeyMissing: {
    code: 2304,
    kind: 'rule',
    text: 'The key of authority {id} is not here: {file}',
    when: 'something is to be signed where the key of the authority does not lie',
  },
  authorityExpired: {
    code: 2304,
    kind: 'rule',
    text: 'The authority itself has expired; make a new one',
    when: 'a request is to be signed by an expired authority',
  },

  // certificates
  certificateUserMissing: {
    code: 2303,
    kind: 'rule',
    text: 'There is no user {username}; the CN must be the username',
    when: 'a certificate or a request names a user that does not exist',
  },
  tooManyCertificates: {
    code: 2304,
    kind: 'rule',
    text: 'User {username} has {count} valid certificates already; revoke one first',
    when: 'a user would have more than two valid certificates',
  },
  certificateTaken: {
    code: 2302,
    kind: 'rule',
    text: 'This certificate is on record already',
    when: 'a certificate is recorded twice',
  },
  authorityNotTrusted: {
    code: 2308,
    kind: 'rule',
    text: 'No authority that we trust has signed this certificate; see cadastre ca trust',
    when: 'a certificate of an unknown authority is to be recorded',
  },
  certificateExpired: {
    code: 2304,
    kind: 'rule',
    text: 'This certificate has expired',
    when: 'an expired certificate is to be recorded',
  },
  certificateNotGood: {
    code: 2303,
    kind: 'missing',
    text: 'There is no certificate {serial} that is still good',
    when: 'no certificate has the serial number, or it is revoked already, or one of another registrar',
  },

  // requests for certificates
  requestUnusable: {
    code: 2005,
    kind: 'syntax',
    text: '{complaint}',
    when: 'a request cannot be read, has a weak key or another than it was signed with, or not one CN',
  },
  requestOfAnother: {
    code: 2005,
    kind: 'syntax',
    text: 'The CN of the request is not {username}',
    when: 'a registrar asks for a certificate of another user than the request names',
  },
  requestWaits: {
    code: 2302,
    kind: 'rule',
    text: 'A request of user {username} waits already',
    when: 'a registrar asks for a second certificate before the first request was decided on',
  },
  requestNotWaiting: {
    code: 2303,
    kind: 'missing',
    text: 'No request {id} waits; see cadastre cert requests',
    when: 'a request is decided on that does not exist, or was signed, refused or withdrawn',
  },
  noRequestWaits: {
    code: 2303,
    kind: 'missing',
    text: 'No request of user {username} waits',
    when: 'a registrar withdraws a request that was signed, refused or withdrawn',
  },
} as const satisfies Catalogue;

/** Places of the inputs of these operations. */
export type CertificatePath = readonly ['replaces' | 'request'];

const maker = defineRefusals<typeof catalogue, CertificatePath>(catalogue);
export const refuse: typeof maker.refuse = maker.refuse;
