import type { PaymentProvider } from '../../billing/provider/provider.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { accountEndpoints } from './accounts.ts';
import { contactEndpoints } from './contacts.ts';
import { dnssecEndpoints } from './dnssec.ts';
import { domainContactEndpoints } from './domain-contacts.ts';
import { domainEndpoints } from './domains.ts';
import type { Endpoint } from './endpoint.ts';
import { invoiceEndpoints } from './invoices.ts';
import { nameserverEndpoints } from './nameservers.ts';
import { notificationEndpoints } from './notifications.ts';
import { renewalEndpoints } from './renewals.ts';
import { replacementEndpoints } from './replacements.ts';
import { statusEndpoints } from './statuses.ts';
import { transferEndpoints } from './transfers.ts';

/** Every call of the registrar API, in the order of the document. */
export function registrarEndpoints(parts: {
  readonly database: Database;
  readonly policy: Policy;
  readonly provider: PaymentProvider;
}): Endpoint[] {
  return [
    ...accountEndpoints(parts),
    ...invoiceEndpoints(parts),
    ...notificationEndpoints(parts),
    ...contactEndpoints(parts),
    ...domainEndpoints(parts),
    ...domainContactEndpoints(parts),
    ...nameserverEndpoints(parts),
    ...dnssecEndpoints(parts),
    ...statusEndpoints(parts),
    ...transferEndpoints(parts),
    ...replacementEndpoints(parts),
    ...renewalEndpoints(parts),
  ];
}
