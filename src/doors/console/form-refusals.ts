import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import { catalogue as registry } from '../../registry/registry-refusals.ts';

/** Refusals of the forms themselves; the APIs do not have them. */
export const catalogue = {
  formStale: {
    code: 2304,
    kind: 'rule',
    text: 'The object has changed since the form was shown',
    when: 'a form was filled in for another version of its object',
  },
  nothingChanges: {
    code: 2306,
    kind: 'rule',
    text: 'The form changes nothing',
    when: 'the form holds what is stored already',
  },
  listTooLong: {
    code: 2004,
    kind: 'syntax',
    text: 'The list has more than {most} items',
    when: 'a field of the form lists more than a list of the API may hold',
  },
  tooManyDomains: {
    code: 2004,
    kind: 'syntax',
    text: 'The list has more than 10,000 domains',
    when: 'more domains are listed than a bulk change takes',
  },
  notName: {
    code: 2005,
    kind: 'syntax',
    text: 'This is not the name of a domain',
    when: 'a line of a list holds what cannot be the name of a domain',
  },
  twoCodes: {
    code: 2004,
    kind: 'syntax',
    text: 'The domain is named twice, with different codes',
    when: 'a list of transfers names a domain twice, with different codes',
  },
  twoPeriods: {
    code: 2004,
    kind: 'syntax',
    text: 'The domain is named twice, with different periods',
    when: 'a list of renewals names a domain twice, with different periods',
  },
  quoteUnclosed: {
    code: 2001,
    kind: 'syntax',
    text: 'The quotation mark in line {line} is not closed',
    when: 'a list of domains is no CSV file',
  },
  noDomainNamed: {
    code: 2003,
    kind: 'syntax',
    text: 'No domain is named',
    when: 'a list of domains is empty',
  },
  noDomainHasNameserver: {
    code: 2303,
    kind: 'syntax',
    text: 'No domain of the registrar has the nameserver',
    when: 'a nameserver that no domain has is to be replaced everywhere',
  },
  noDomainHasContact: {
    code: 2303,
    kind: 'syntax',
    text: 'No domain of the registrar has the contact',
    when: 'a contact that no domain has is to be replaced everywhere',
  },
  domainUnknown: {
    code: 2303,
    kind: 'rule',
    text: 'There is no such domain',
    when: 'a domain that nobody has is to be transferred',
  },
  otherTyped: {
    code: 2005,
    kind: 'syntax',
    text: '{name} is not what was typed',
    when: 'what is destroyed is not confirmed by its name',
  },
  noRole: {
    code: 2003,
    kind: 'syntax',
    text: 'No role is chosen',
    when: 'somebody is to have no role',
  },
  ownFactors: {
    code: 2306,
    kind: 'rule',
    text: 'One’s own second factor is changed on the page of one’s account',
    when: 'an administrator is to reset the own second factor',
  },
  noDay: {
    code: 2005,
    kind: 'syntax',
    text: 'This is no day',
    when: 'the day since when events are sent again is none',
  },
  noContactRole: {
    code: 2003,
    kind: 'syntax',
    text: 'The new contact has no role',
    when: 'a contact is created with a domain that does not name it',
  },
  twoRegistrants: {
    code: 2005,
    kind: 'syntax',
    text: 'The registrant is chosen, and the new contact is to be it, too',
    when: 'a registration names a registrant besides the contact that is created as its registrant',
  },
  noEventChosen: {
    code: 2003,
    kind: 'syntax',
    text: 'No type of event is chosen',
    when: 'a webhook is to be sent the chosen events, and none is chosen',
  },
  viewNameWrong: {
    code: 2005,
    kind: 'syntax',
    text: 'This cannot be the name of a view',
    when: 'the name of a view is empty, too long, or has characters that nobody sees',
  },
  viewNameTaken: {
    code: 2302,
    kind: 'rule',
    text: 'Another view has this name',
    when: 'a person names two views of a list alike',
  },
  viewEmpty: {
    code: 2003,
    kind: 'syntax',
    text: 'Nothing is filtered',
    when: 'a view is saved without any filter or order',
  },
  viewTooLong: {
    code: 2004,
    kind: 'syntax',
    text: 'The filters are too long to be kept',
    when: 'the filters of a view are too long',
  },
  tooManyViews: {
    code: 2306,
    kind: 'rule',
    text: 'A list has at most {most} views of a person',
    when: 'a person saves more views of a list than there can be',
  },
} as const satisfies Catalogue;

const maker = defineNamedRefusals({ ...common, ...registry, ...catalogue });
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
