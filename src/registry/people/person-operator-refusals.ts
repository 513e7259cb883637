import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about the people of registrars. */
export const personRefusals = {
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
  personElsewhere: {
    code: 2305,
    kind: 'rule',
    text: '{email} works for other registrars too: only the registry resets the second factor',
    when: 'an administrator of a registrar is to reset the second factor of somebody who works for another registrar too',
  },
  personNotOfRegistrar: {
    code: 2303,
    kind: 'rule',
    text: '{email} neither works for {registrar} nor is invited by it',
    when: 'somebody is to be removed from a registrar who has nothing to do with it',
  },
} as const satisfies Catalogue;
