import type { Billing } from '../billing/context.ts';
import type { AskParts } from '../billing/payments/ask.ts';

/** What reservations work with: they are paid through billing. */
export type ReservationParts = Billing & AskParts;

/** Not one of the names can be had. */
export class NoneAvailable extends Error {
  override name = 'NoneAvailable';
}
