import { recordCallback } from '../../billing/payments/record-callback.ts';
import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Endpoint, endpointMaker } from '../http/endpoint.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { type RefusalName, refusal } from './billing-api-refusals.ts';
import { NAMES } from './render-refusals.ts';

/** Needs no credentials; a caller is known only by its address. */
export type CallbackApi = {
  readonly caller: { readonly address: string };
  readonly context: { readonly address: string; readonly now: Date };
  readonly refusal: RefusalName;
  readonly access: { readonly isOpen: true };
};

export type CallbackDependencies = {
  readonly database: Database;
  /** Schedules a poll of the provider for a payment; the caller does not wait for it. */
  readonly pollSoon: (reference: string) => void;
  /** Schedules a poll for a reference that is not ours, within the shared rate of such polls. */
  readonly pollUnknownSoon: () => void;
};

const MAX_EVENT_LENGTH = 200;
const refusalOf = ({ path: [name = ''] }: { readonly path: readonly string[] }): NamedRefusal =>
  refusal('callbackUnreadable', { field: name.split('[', 1)[0] ?? '' });

const endpoint = endpointMaker<CallbackApi>({ isStrict: false, refusalOf, names: NAMES });

/** GET callback_handler/callback: the content is not trusted and only triggers a poll of the provider. */
export const callbackEndpoints = (dependencies: CallbackDependencies): Endpoint<CallbackApi>[] => [
  endpoint({
    isOpen: true,
    id: 'receiveCallback',
    method: 'GET',
    path: '/callback_handler/callback',
    group: 'Callback',
    summary: 'Tells that something happened to a payment; needs no token, and is trusted for nothing',
    query: Type.Object(
      {
        payment_reference: Type.Optional(
          Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description: 'which payment', ...VERBATIM }),
        ),
        event_name: Type.Optional(
          Type.String({ maxLength: MAX_EVENT_LENGTH, pattern: '^[^\\0]*$', description: 'what happened' }),
        ),
      },
      // Some clients send payment_reference[]=… or payment_reference[x]=… as arrays.
      { patternProperties: { '^(?:payment_reference|event_name)\\[': false } },
    ),
    data: Type.Object({ message: Type.String() }, { additionalProperties: false, 'x-component': 'Done' }),
    refusals: ['callbackUnreadable', 'tooManyCallbacks'],
    example: {
      query: { payment_reference: 'db98561ec7a380d2e0872a34ffccdd0c', event_name: 'status_updated' },
      data: { message: 'Callback received' },
    },
    handle: async ({ query, context: { address: caller, now } }) => {
      const { payment_reference: reference, event_name: eventName } = query;
      const callback = { reference, eventName, caller };
      const isKnown = await recordCallback(dependencies.database.writes, callback, now);
      if (reference && isKnown) dependencies.pollSoon(reference);
      else if (reference) dependencies.pollUnknownSoon();
      return { data: { message: 'Callback received' } };
    },
  }),
];
