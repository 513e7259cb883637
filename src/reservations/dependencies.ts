import type { Billing } from '../billing/context.ts';
import type { PollDependencies } from '../billing/payments/poll-provider.ts';

/** Dependencies of reservations, which are paid through billing. */
export type ReservationDependencies = Billing & PollDependencies;
