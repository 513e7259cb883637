import type { Entry } from '../../reservations/reservation.ts';
import type { LongReservation } from '../../reservations/reserve-long.ts';
import type { ReservedName, ShortReservation, StoredReservation } from '../../reservations/reserve-short.ts';

/** Results of operations as this API shows them. */

const renderName = ({ name, code, expiresAt }: ReservedName) => ({
  name,
  password: code,
  expire_at: expiresAt,
});

export const renderEntry = ({ name, status, code, expiresAt }: Entry) => ({
  name,
  status,
  ...(code !== undefined && { password: code, expire_at: expiresAt }),
});

export const renderReservation = ({ id, names }: ShortReservation) => ({
  user_unique_id: id,
  reserved_domains: names.map(renderName),
});

export const renderId = ({ id }: StoredReservation) => ({ user_unique_id: id });

export const renderOrder = ({ invoiceNumber, id, names, paymentLink }: LongReservation) => ({
  invoice_number: invoiceNumber,
  user_unique_id: id,
  available_domains: names,
  linkpay_url: paymentLink,
});
