import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about EPP sessions. */
export const sessionRefusals = {
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
} as const satisfies Catalogue;
