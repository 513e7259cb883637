import type { Billing } from '../billing/context.ts';
import type { PollDependencies } from '../billing/payments/poll-provider.ts';

/** What reservations work with: they are paid through billing. */
export type ReservationParts = Billing & PollDependencies;
