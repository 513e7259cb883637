import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about mails. */
export const mailRefusals = {
  unsentMailMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no unsent mail with the id {ids}',
    when: 'none of the mails that are to be tried again is unsent',
  },
} as const satisfies Catalogue;
