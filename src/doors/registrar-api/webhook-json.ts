import type { ShownEndpoint } from '../../registry/webhooks/webhook-endpoint.ts';
import type { ShownDelivery } from '../../registry/webhooks/list-deliveries.ts';

export const webhookJson = (endpoint: ShownEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  enabled: endpoint.enabled,
  disabled_at: endpoint.disabledAt,
  disabled_reason: endpoint.disabledReason,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
  last_success_at: endpoint.lastSuccessAt,
  failing_since: endpoint.failingSince,
  old_secret_until: endpoint.oldSecretUntil,
});

export const deliveryJson = (delivery: ShownDelivery) => ({
  event_id: delivery.eventId,
  type: delivery.type,
  sequence: delivery.sequence,
  timestamp: delivery.timestamp,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAttemptAt,
  finished_at: delivery.finishedAt,
  last_attempt_at: delivery.lastAttemptAt,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
});
