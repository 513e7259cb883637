import type { PaymentProvider } from '../../billing/provider/provider.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import { accountEndpoints } from './accounts.ts';
import { contactEndpoints } from './contacts.ts';
import { dnssecEndpoints } from './dnssec.ts';
import { domainContactEndpoints } from './domain-contacts.ts';
import { domainHistoryEndpoints } from './domain-history.ts';
import { domainEndpoints } from './domains.ts';
import type { RegistrarEndpoint } from './endpoint.ts';
import { eventEndpoints } from './event-feed.ts';
import { invoiceEndpoints } from './invoices.ts';
import { nameserverEndpoints } from './nameservers.ts';
import { notificationEndpoints } from './notifications.ts';
import { renewalEndpoints } from './renewals.ts';
import { replacementEndpoints } from './replacements.ts';
import { priceEndpoints } from './show-prices.ts';
import { statusEndpoints } from './statuses.ts';
import { transferEndpoints } from './transfers.ts';
import { webhookEndpoints } from './webhooks.ts';

/** Every call of the registrar API, in the order of the document. */
export function registrarEndpoints(dependencies: {
  readonly database: Database;
  readonly policy: Policy;
  readonly provider: PaymentProvider;
  readonly webhooks: WebhookSettings;
}): RegistrarEndpoint[] {
  return [
    ...accountEndpoints(dependencies),
    ...invoiceEndpoints(dependencies),
    ...notificationEndpoints(dependencies),
    ...eventEndpoints(dependencies),
    ...contactEndpoints(dependencies),
    ...domainEndpoints(dependencies),
    ...domainHistoryEndpoints(dependencies),
    ...priceEndpoints(dependencies),
    ...domainContactEndpoints(dependencies),
    ...nameserverEndpoints(dependencies),
    ...dnssecEndpoints(dependencies),
    ...statusEndpoints(dependencies),
    ...transferEndpoints(dependencies),
    ...replacementEndpoints(dependencies),
    ...renewalEndpoints(dependencies),
    ...webhookEndpoints(dependencies),
  ];
}
