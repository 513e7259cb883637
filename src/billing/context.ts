import type { Keyed } from '../operations/idempotency.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Policy } from '../policy/policy.ts';
import type { Initiator } from './invoices/invoice.ts';
import type { Effects } from './payments/apply-payment-update.ts';
import type { PaymentProvider } from './provider/provider.ts';

/** What the operations of billing work with. */
export type Billing = Effects & {
  readonly database: Database;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  /** Where a payer may be sent back to. */
  readonly isReturnAllowed: (url: string) => boolean;
};

/** Who calls, when, and under which key. */
export type Caller = Keyed & { readonly initiator: Initiator };
