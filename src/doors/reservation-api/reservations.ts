import type { Static } from 'typebox';
import type { Parsed } from '../../operations/refusal.ts';
import { normaliseText } from '../../platform/values/normalise-text.ts';
import { reservationStatus } from '../../reservations/reservation.ts';
import { readReserved, reserveNames } from '../../reservations/reserve-short.ts';
import { perform } from '../http/perform.ts';
import type { Unfinished } from '../http/read-request.ts';
import {
  endpoint,
  type ReservationApiDependencies,
  type ReservationEndpoint,
  refusalsByField,
} from './endpoint.ts';
import { HELD_NAME, NAME, OTHER_NAME, USER_UNIQUE_ID } from './examples.ts';
import { renderEntry, renderId, renderReservation } from './render-results.ts';
import { refusal } from './reservation-api-refusals.ts';
import { Entries, type NamesBody, namesBody, Reserved } from './schemas.ts';

const RESERVED = 'Domains reserved successfully';
const DOMAIN_NAME = /^[\p{L}\p{N}.-]+$/u;
const MAX_DOMAIN_NAME_LENGTH = 1_024;
const FORM_OF_ID = /^[\w-]{10}$/;

/** reserve_domains: reserves names for some days, free of charge. */
export function reservationEndpoints({
  reservations,
  access,
}: ReservationApiDependencies): ReservationEndpoint[] {
  const { database, policy } = reservations;
  const group = 'Free reservations';
  const reservedAgain = async (
    { user_unique_id: id }: ReturnType<typeof renderId>,
    { now }: { readonly now: Date },
  ) => renderReservation(await readReserved(database.reads, id, now));
  return [
    endpoint({
      group,
      id: 'reserveNames',
      method: 'POST',
      path: '/reserve_domains',
      summary: `Reserve names for ${policy.reservations.freeDays} days; those that cannot be had are left out`,
      status: 201,
      body: namesBody(policy),
      refusalOf: refusalsByField({}, 'invalidDomainNames'),
      parse: parseNames,
      data: Reserved,
      refusals: ['invalidDomainNames', 'tooManyNames', 'noneAvailable'],
      example: {
        body: { domain_names: [NAME] },
        data: { message: RESERVED, reserved_domains: [HELD_NAME], user_unique_id: USER_UNIQUE_ID },
      },
      handle: async ({ input, context }) => {
        const { data, isReplay } = await perform(
          context,
          { render: renderReservation, stored: renderId, again: (stored) => reservedAgain(stored, context) },
          (keyed) => reserveNames(reservations, input, keyed),
        );
        return { data: { message: RESERVED, ...data }, isReplay };
      },
    }),

    endpoint({
      group,
      id: 'readReservation',
      method: 'GET',
      path: '/reserve_domains/:user_unique_id',
      summary: 'What became of the names of a free reservation',
      data: Entries,
      refusals: ['reservationMissing'],
      example: {
        params: { user_unique_id: USER_UNIQUE_ID },
        data: [
          { ...HELD_NAME, status: 'reserved' },
          { name: OTHER_NAME, status: 'expired' },
        ],
      },
      handle: async ({ params: { user_unique_id: id }, context: { caller, now } }) => ({
        data: await access.find(
          caller,
          async () =>
            isUserUniqueId(id)
              ? (await reservationStatus(database.reads, id, now))?.map(renderEntry)
              : undefined,
          { otherwise: 'reservationMissing' },
        ),
      }),
    }),
  ];
}

/** Checks that each name is valid, which the schema cannot express. */
export function parseNames({ domain_names: names = [] }: Unfinished<Static<NamesBody>>): Parsed<string[]> {
  return names.every(isDomainName)
    ? { value: [...names] }
    : { refusals: [refusal('invalidDomainNames', { field: 'domain_names' })] };
}

const isDomainName = (text: string): boolean =>
  DOMAIN_NAME.test(normaliseText(text, MAX_DOMAIN_NAME_LENGTH) ?? text);

/** Whether an id has the form of a reservation's id. */
export const isUserUniqueId = (text: string): boolean => FORM_OF_ID.test(text);
