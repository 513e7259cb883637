import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about domains. */
export const domainRefusals = {
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
} as const satisfies Catalogue;
