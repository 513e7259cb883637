import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about secondaries and their keys. */
export const secondaryRefusals = {
  secondaryNameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'A name has 1 to 63 lower-case letters, digits, - and . between them',
    when: 'a secondary or a key is to have another name',
  },
  secondaryAddressInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{address} is no IP address',
    when: 'the address of a secondary cannot be one',
  },
  portInvalid: {
    code: 2004,
    kind: 'syntax',
    text: '{field} is a number from 1 to {most}',
    when: 'a secondary is to listen on a port that there is not',
  },
  secondaryTaken: {
    code: 2302,
    kind: 'rule',
    text: 'There is a secondary {name} already',
    when: 'a secondary is to have the name of another',
  },
  secondaryMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no secondary {name}',
    when: 'no secondary has the name',
  },
  keyNameUsed: {
    code: 2302,
    kind: 'rule',
    text: 'There is, or was, a key {name}; take another name',
    when: 'a key is to have the name of another, or of one that was revoked',
  },
  tooManyKeys: {
    code: 2306,
    kind: 'rule',
    text: '{secondary} has {most} valid keys; revoke the one that it no longer uses',
    when: 'a secondary is to have more keys than one and its successor',
  },
  keyMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no key {name} to revoke',
    when: 'no key has the name, or it is revoked already',
  },
} as const satisfies Catalogue;
