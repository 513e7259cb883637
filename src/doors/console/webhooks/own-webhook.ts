import {
  isEndpointId,
  readEndpoint,
  type ShownEndpoint,
} from '../../../registry/webhooks/webhook-endpoint.ts';
import { offersWebhooks } from '../../../registry/webhooks/known-webhooks.ts';
import { type ConsoleParts, consoleAddress, type PageInput, type Visit } from '../console-page.ts';
import { unlessRefused } from '../unless-refused.ts';

/** The endpoint of the address; undefined for one of another registrar, and where there are no webhooks. */
export async function loadOwnWebhook(
  { database: { reads }, webhooks }: ConsoleParts,
  { principal }: Visit,
  { params: { webhook: id = '' } }: PageInput,
): Promise<ShownEndpoint | undefined> {
  if (!isEndpointId(id) || !offersWebhooks(webhooks)) return undefined;
  return unlessRefused('missing', () => readEndpoint(reads, id, principal));
}

export const webhookAddress = (id: string, change = ''): string => consoleAddress(`/webhooks/${id}${change}`);

/** What an endpoint is called on a page. */
export const webhookName = ({ url, description }: Pick<ShownEndpoint, 'url' | 'description'>): string =>
  description || new URL(url).host;
