import type { Keyed } from '../operations/stored-answers.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Policy } from '../policy/policy.ts';
import type { Initiator } from './invoices/invoice.ts';
import type { Effects } from './payments/apply-payment-update.ts';
import type { PaymentProvider } from './provider/provider.ts';

/** Dependencies of the billing operations. */
export type Billing = Effects & {
  readonly database: Database;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  /** Whether a payer may be redirected to this URL. */
  readonly isReturnAllowed: (url: string) => boolean;
};

/** The caller of an operation, with its time and idempotency key. */
export type Caller = Keyed & { readonly initiator: Initiator };
