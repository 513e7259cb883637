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

  // prices
  priceNotPositive: {
    code: 2004,
    kind: 'syntax',
    text: 'The amount is above zero, such as 9.00: {rule}',
    when: 'something is to cost nothing, or less',
  },
  priceMissing: {
    code: 2303,
    kind: 'missing',
    text: 'No price for {operation} {period} in {zone} is running on {day}',
    when: 'a price that is to end is not in force on the day',
  },

  // zones
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

  // names
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

  // domains
  domainMissing: {
    code: 2303,
    kind: 'missing',
    text: '{name} is not registered',
    when: 'no domain has the name',
  },
  domainNotLeaving: {
    code: 2304,
    kind: 'rule',
    text: '{name} is not on its way out',
    when: 'a domain that is to be restored is neither deleted nor about to be',
  },
  domainLeaving: {
    code: 2304,
    kind: 'rule',
    text: '{name} is about to be deleted anyway',
    when: 'a force delete is ordered for a domain that is about to be deleted',
  },
  statusContradicted: {
    code: 2304,
    kind: 'rule',
    text: '{name} has a status that contradicts {status}',
    when: 'a domain is to have a status beside one that excludes it',
  },
  statusNotSet: {
    code: 2304,
    kind: 'rule',
    text: '{name} does not have {status}',
    when: 'a status that is to be removed is not set',
  },
  heldByExpiry: {
    code: 2304,
    kind: 'rule',
    text: '{name} has serverHold by its expiry or deletion, which a renewal ends; serverManualInzone keeps it in the zone',
    when: 'a serverHold that is to be removed is not one of the registry',
  },
  forceDeleteOrdered: {
    code: 2304,
    kind: 'rule',
    text: '{name} is under {kind} force delete already; lift it first to order it again',
    when: 'a force delete is ordered for a domain that is under one of the same kind',
  },
  forceDeleteMissing: {
    code: 2304,
    kind: 'rule',
    text: '{name} is not under force delete',
    when: 'a domain whose force delete is to be lifted is under none',
  },

  // contacts
  contactMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no contact {contact}',
    when: 'no contact has the code',
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
  // Balances.
  correctionUnexplained: {
    code: 2003,
    kind: 'syntax',
    text: '{field} must not be empty: it is shown in the transaction',
    when: 'a balance is corrected without a reason',
  },
  correctionZero: {
    code: 2004,
    kind: 'syntax',
    text: 'The amount is not zero, such as 18.00 or -18.00: {rule}',
    when: 'a balance is corrected by nothing',
  },
  correctionImpossible: {
    code: 2104,
    kind: 'rule',
    text: 'There is no registrar {registrar}, or the balance does not cover it',
    when: 'a balance is corrected by more than there is, or that of a registrar that does not exist',
  },
  // Mails.
  unsentMailMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no unsent mail with the id {ids}',
    when: 'none of the mails that are to be tried again is unsent',
  },
  // People of registrars
  personMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no person {email}',
    when: 'no person has the address',
  },
  personNotActive: {
    code: 2303,
    kind: 'rule',
    text: 'There is no active person {email}',
    when: 'somebody is to be disabled who does not exist, or is disabled',
  },
  personNotDisabled: {
    code: 2303,
    kind: 'rule',
    text: 'There is no disabled person {email} who works for a registrar. One who works for none is invited again',
    when: 'somebody is to be enabled who is not disabled, or works for nobody',
  },
  lastAdministrator: {
    code: 2305,
    kind: 'rule',
    text: '{email} is the last administrator of a registrar. Make somebody else one before: cadastre person roles, or cadastre person invite',
    when: 'a change would leave a registrar without an administrator',
  },
  personTaken: {
    code: 2302,
    kind: 'rule',
    text: 'There is a person {email} already',
    when: 'a new person is to have the address of another',
  },
  personEmailInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{email} is no email address',
    when: 'an invitation has no address of one mailbox',
  },
  personNameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: '{field} has 1 to 100 visible characters',
    when: 'the name of a person is empty, too long, or has characters that nobody sees',
  },
  personDisabled: {
    code: 2304,
    kind: 'rule',
    text: '{email} is disabled; enable the person before: cadastre person enable {email}',
    when: 'somebody is invited who could not log in to accept',
  },
  membershipTaken: {
    code: 2302,
    kind: 'rule',
    text: '{email} works for {registrar} already',
    when: 'somebody is invited to a registrar that this person works for',
  },
  tooManyInvitations: {
    code: 2308,
    kind: 'rule',
    text: '{registrar} has invited too many people today; try again tomorrow',
    when: 'a registrar has invited a hundred people within a day',
  },
  membershipMissing: {
    code: 2303,
    kind: 'rule',
    text: '{email} does not work for {registrar}',
    when: 'the roles of somebody are changed who does not work for the registrar',
  },
  membershipNotActive: {
    code: 2304,
    kind: 'rule',
    text: '{email} does not work for {registrar}, or is shut out of it',
    when: 'somebody is to be shut out of a registrar who has no access to it',
  },
  membershipNotDisabled: {
    code: 2304,
    kind: 'rule',
    text: '{email} is not shut out of {registrar}',
    when: 'somebody is let in again who was not shut out of the registrar',
  },
  noSessionToEnd: {
    code: 2304,
    kind: 'rule',
    text: '{email} has no session for {registrar}',
    when: 'the sessions of somebody are to end who has none',
  },
  invitationMissing: {
    code: 2303,
    kind: 'rule',
    text: '{registrar} has no open invitation of {email}',
    when: 'an invitation is withdrawn that was accepted, was withdrawn or has expired',
  },
  personNotOfRegistrar: {
    code: 2303,
    kind: 'rule',
    text: '{email} neither works for {registrar} nor is invited by it',
    when: 'somebody is to be removed from a registrar who has nothing to do with it',
  },
  // EPP sessions
  sessionMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no EPP session {id}',
    when: 'no live EPP session has the id',
  },
  noSessions: {
    code: 2303,
    kind: 'rule',
    text: '{registrar} has no EPP session',
    when: 'the EPP sessions of a registrar are to end that has none',
  },

  // secondaries and their keys
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

  // requesters of look-ups
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

  // webhooks
  webhookMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no webhook endpoint {id}',
    when: 'no endpoint of a registrar has the id',
  },
  webhookNotEnabled: {
    code: 2304,
    kind: 'rule',
    text: '{id} is disabled already',
    when: 'an endpoint that is to be disabled is',
  },
  webhookNotDisabled: {
    code: 2304,
    kind: 'rule',
    text: '{id} is not disabled',
    when: 'an endpoint that is to be enabled is',
  },
  webhookToBeEnabled: {
    code: 2304,
    kind: 'rule',
    text: '{id} is disabled; enable it first',
    when: 'events are to be sent again to an endpoint that is disabled',
  },
  webhookEventMissing: {
    code: 2303,
    kind: 'missing',
    text: '{id} never had an event {event}',
    when: 'an event that is to be sent again was none of the endpoint',
  },
} as const satisfies Catalogue;

/** Places of the commands of operators. */
export type OperatorPath =
  | readonly ['website' | 'phone' | 'abuseEmail' | 'abusePhone']
  // names, zones, services
  | readonly ['duration' | 'code' | 'port' | 'purpose' | 'until']
  // People, users and addresses of registrars
  | readonly ['personName' | 'email' | 'username' | 'range'];

export const operatorRefusals = <At extends Path>(): RefusalMaker<typeof catalogue, At> =>
  defineRefusals<typeof catalogue, At>(catalogue);

const maker = operatorRefusals<OperatorPath>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
