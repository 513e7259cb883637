import type { TSchema } from 'typebox';
import { camelCase } from './name-cases.ts';
import type { Components, Json } from './openapi-components.ts';

/** An event that is posted to an address of the client, by Standard Webhooks. */
export type DescribedEvent = {
  readonly type: string;
  readonly summary: string;
  readonly data: TSchema;
};

/** An event that a call causes; under a condition if there is one. */
export type CausedEvent = { readonly type: string; readonly when?: string };

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'the same at every delivery of the event: handle each once',
  'webhook-timestamp': 'when this attempt was signed, in seconds',
  'webhook-signature': 'one or several signatures, separated by spaces',
};

const headerParameters = (components: Components): Json[] =>
  Object.entries(HEADERS).map(([name, description]) => {
    const header = { name, in: 'header', required: true, description, schema: { type: 'string' } };
    return components.share('parameters', camelCase(`${name}-header`), header);
  });

const receiverAnswers = (components: Components): Json => ({
  '2XX': components.share('responses', 'EventReceived', {
    description: 'Received; the content of the answer is not read',
  }),
  '410': components.share('responses', 'EndpointGone', { description: 'Disables the endpoint at once' }),
  default: components.share('responses', 'EventNotReceived', { description: 'Sent again later' }),
});

/** The webhooks of a document: requests that the client receives. */
export const describeEvents = (
  events: readonly DescribedEvent[],
  tag: string,
  components: Components,
): Json =>
  Object.fromEntries(
    events.map(({ type, summary, data }) => [
      type,
      {
        post: {
          operationId: type,
          tags: [tag],
          summary,
          security: [],
          parameters: headerParameters(components),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    type: { const: type },
                    timestamp: { type: 'string', description: 'when it happened' },
                    data: components.referTo(data),
                  },
                  required: ['type', 'timestamp', 'data'],
                },
              },
            },
          },
          responses: receiverAnswers(components),
        },
      },
    ]),
  );
