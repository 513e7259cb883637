import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about webhooks. */
export const webhookRefusals = {
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
