import { Refused } from '../../../operations/refusal.ts';
import {
  isEndpointId,
  readEndpoint,
  type ShownEndpoint,
} from '../../../registry/webhooks/webhook-endpoint.ts';
import { offersWebhooks } from '../../../registry/webhooks/known-webhooks.ts';
import { type ConsoleParts, consoleAddress, type PageInput, type Visit } from '../console-page.ts';

/** The endpoint of the address; undefined for one of another registrar, and where there are no webhooks. */
export async function loadOwnWebhook(
  { database: { reads }, webhooks }: ConsoleParts,
  { principal }: Visit,
  { params: { webhook: id = '' } }: PageInput,
): Promise<ShownEndpoint | undefined> {
  if (!isEndpointId(id) || !offersWebhooks(webhooks)) return undefined;
  return unlessMissing(() => readEndpoint(reads, id, principal));
}

/** Undefined instead of the refusal of what is missing. */
export async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refused && error.refusals[0].kind === 'missing') return undefined;
    throw error;
  }
}

export const webhookAddress = (id: string, change = ''): string => consoleAddress(`/webhooks/${id}${change}`);

/** What an endpoint is called on a page. */
export const webhookName = ({ url, description }: Pick<ShownEndpoint, 'url' | 'description'>): string =>
  description || new URL(url).host;
