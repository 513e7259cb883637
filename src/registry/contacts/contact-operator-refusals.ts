import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about contacts. */
export const contactRefusals = {
  contactMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no contact {contact}',
    when: 'no contact has the code',
  },
} as const satisfies Catalogue;
