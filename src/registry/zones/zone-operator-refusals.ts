import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about zones. */
export const zoneRefusals = {
  zoneUnknown: {
    code: 2303,
    kind: 'missing',
    text: '{zone} is no zone of this registry; there are {zones}',
    when: 'the policy has no zone of the name',
  },
  zoneNotPublishing: {
    code: 2304,
    kind: 'rule',
    text: '{zone} is frozen already, or was never published; see: cadastre zone serial',
    when: 'a zone that is to be frozen is not being published',
  },
  zoneNotFrozen: {
    code: 2304,
    kind: 'rule',
    text: '{zone} is not frozen',
    when: 'a zone that is to be published again is not frozen',
  },
  zoneFrozen: {
    code: 2304,
    kind: 'rule',
    text: '{zone} is frozen since {since}; thaw it first',
    when: 'a zone that is to be rebuilt is frozen',
  },
  zoneBusy: {
    code: 2400,
    kind: 'unavailable',
    text: '{zone} was not rebuilt: its writer has been at work for {seconds} seconds. See: cadastre job show "publish zones"',
    when: 'another writer has the zone that is to be rebuilt for longer than the operator waits',
  },
  zoneNeverPublished: {
    code: 2304,
    kind: 'rule',
    text: '{zone} was never published: cadastre work does so',
    when: 'a zone without a serial is to have another',
  },
  zoneKeepsSerial: {
    code: 2304,
    kind: 'rule',
    text: '{zone} is frozen, and gets no new serial; thaw it first',
    when: 'a zone that is frozen is to have another serial',
  },
  serialLaterAlready: {
    code: 2304,
    kind: 'rule',
    text: 'The serial of {zone} is later than {above} already',
    when: 'a serial is to be raised above one that is not later',
  },
  serialTooFar: {
    code: 2304,
    kind: 'rule',
    text: '{above} is half of all serials away from that of {zone}, and its servers would take it for an older one',
    when: 'a serial is to be raised by half of all serials or more',
  },
  serialNotAhead: {
    code: 2304,
    kind: 'rule',
    text: 'The serial of {zone} is not ahead of the date',
    when: 'a serial that is to be led back to the date is not ahead of it',
  },
  secondariesBehind: {
    code: 2304,
    kind: 'rule',
    text: 'These secondaries do not have the first step yet: {secondaries}. See: cadastre dns secondary list',
    when: 'the second step that leads a serial back to the date is taken too early',
  },
  zoneNotDelegated: {
    code: 2304,
    kind: 'rule',
    text: '{zone} is not delegated by a zone of ours: send its DS to the parent',
    when: 'delegation signers are set for a zone whose parent is not a zone of the registry',
  },
} as const satisfies Catalogue;
