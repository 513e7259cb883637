import { catalogue as common } from '../../operations/common-refusals.ts';
import { defineNamedRefusals } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';

/** Texts never repeat what was asked: the answers to all names that are not here must be the same. */
export const catalogue = {
  notAName: {
    code: 2005,
    kind: 'syntax',
    text: 'This cannot be a name.',
    when: 'the path has no name, or one that no registry could have',
  },
  notAQuery: {
    code: 2000,
    kind: 'syntax',
    text: 'This is no RDAP query; see /rdap/help.',
    when: 'the path is none of RFC 9082',
  },
  notHere: {
    code: 2303,
    kind: 'missing',
    text: 'There is no such object in this registry.',
    when: 'the name is not registered, whether it is free, blocked, reserved, a zone or of another registry',
  },
  readOnly: {
    code: 2101,
    kind: 'other-method',
    text: 'Only GET and HEAD are allowed.',
    when: 'the method is another one',
  },
  tooManyLookups: {
    code: 2502,
    kind: 'limited',
    text: 'Too many look-ups; see the header Retry-After.',
    when: 'the address, its network, the registrar or the requester has looked up too much within a minute',
  },
} as const satisfies Catalogue;

const maker = defineNamedRefusals({ ...common, ...catalogue });
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
