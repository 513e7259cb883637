import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about reserved, blocked and disputed names. */
export const nameRefusals = {
  durationInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is an ISO 8601 duration such as {example}',
    when: 'a duration cannot be read, or is not above zero',
  },
  reservationCodeEmpty: {
    code: 2003,
    kind: 'syntax',
    text: '{field} must not be empty: without a code nobody could have the name',
    when: 'a name is to be reserved under an empty code',
  },
  nameRegistered: {
    code: 2302,
    kind: 'rule',
    text: '{name} is registered',
    when: 'a name that is to be reserved is registered',
  },
  nameReserved: {
    code: 2302,
    kind: 'rule',
    text: '{name} is reserved already; release it first',
    when: 'a name that is to be reserved is reserved already',
  },
  importedNameReserved: {
    code: 2302,
    kind: 'rule',
    text: '{name} is reserved already',
    when: 'one of many names that are to be reserved is reserved with another code or until another time',
  },
  nameTwice: {
    code: 2306,
    kind: 'rule',
    text: '{name} is there twice',
    when: 'a name comes twice among those that are to be reserved',
  },
  nameNotReserved: {
    code: 2303,
    kind: 'missing',
    text: '{name} is not reserved',
    when: 'a reservation that is to end, now or later, does not exist',
  },
  nameReservedForGood: {
    code: 2304,
    kind: 'rule',
    text: '{name} is reserved for good',
    when: 'a reservation without an end is to end later',
  },
  nameNotBlocked: {
    code: 2303,
    kind: 'missing',
    text: '{name} is not blocked',
    when: 'a name that is to be unblocked is not blocked',
  },
  disputeCodeEmpty: {
    code: 2003,
    kind: 'syntax',
    text: '{field} must not be empty',
    when: 'a dispute is to have an empty code',
  },
  nameDisputed: {
    code: 2302,
    kind: 'rule',
    text: '{name} is disputed already',
    when: 'a dispute is to be opened over a name that has an open one',
  },
  nameNotDisputed: {
    code: 2303,
    kind: 'missing',
    text: '{name} is not disputed',
    when: 'a dispute that is to be closed is not open',
  },
} as const satisfies Catalogue;
