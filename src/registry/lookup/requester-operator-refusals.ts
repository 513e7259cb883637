import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about the requesters of look-ups. */
export const requesterRefusals = {
  requesterNameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'The name of a requester has 1 to 63 small letters, digits, dots and hyphens, and begins and ends with a letter or digit',
    when: 'a requester is to have another name',
  },
  purposeInvalid: {
    code: 2004,
    kind: 'syntax',
    text: '{field} has 1 to {most} characters',
    when: 'a requester is to have no purpose, or a very long one',
  },
  endOver: {
    code: 2004,
    kind: 'syntax',
    text: '{field} is over already',
    when: 'a requester is to be authorised until a time that has passed',
  },
  requesterTaken: {
    code: 2302,
    kind: 'rule',
    text: 'There is, or was, a requester {name}; take another name',
    when: 'a requester is to have the name of another, or of one that was revoked',
  },
  requesterMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no requester {name} to revoke',
    when: 'no requester has the name, or it is revoked already',
  },
} as const satisfies Catalogue;
