import type { ReservationApiDependencies, ReservationEndpoint } from './endpoint.ts';
import { longReservationEndpoints } from './long-reservations.ts';
import { nameEndpoints } from './names.ts';
import { reservationEndpoints as freeReservationEndpoints } from './reservations.ts';

/** Every call of the reservation API, in the order of the document. */
export const reservationEndpoints = (dependencies: ReservationApiDependencies): ReservationEndpoint[] => [
  ...nameEndpoints(dependencies),
  ...freeReservationEndpoints(dependencies),
  ...longReservationEndpoints(dependencies),
];
