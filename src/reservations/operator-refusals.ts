import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/** Why the registry's staff cannot do something with the portal: whole sentences without their full stop. */
export const catalogue = {
  // tokens
  tokenNameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'The name of a token has 1 to 64 letters, digits and . _ -',
    when: 'a token of the portal is to have another name',
  },
  tokenTaken: {
    code: 2302,
    kind: 'rule',
    text: 'There is, or was, a token {name}; take another name',
    when: 'a token of the portal is to have the name of another, or of one that was revoked',
  },
  tokenMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no token {name} to revoke',
    when: 'no token of the portal has the name, or it is revoked already',
  },
} as const satisfies Catalogue;

const maker = defineRefusals(catalogue);
export const refuse: typeof maker.refuse = maker.refuse;
