import type { TargetRules } from '../../platform/webhooks/target-address.ts';
import { webhookSecret } from '../../platform/webhooks/webhook-signature.ts';
import { refuse } from '../registry-refusals.ts';

export type WebhookSettings = {
  readonly rules: TargetRules;
  /** The secret that those of the endpoints are derived from; without it the registry offers no webhooks. */
  readonly secret: string | undefined;
};

export const offersWebhooks = ({ secret }: WebhookSettings): boolean => secret !== undefined;

/** The secret of an endpoint, from its salt. */
export const secretOf = ({ secret }: WebhookSettings, salt: Uint8Array): string =>
  webhookSecret(secret ?? refuse('webhooksOff'), salt);
