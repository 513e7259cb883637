import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about the addresses that a registrar is let in from. */
export const addressRefusals = {
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
