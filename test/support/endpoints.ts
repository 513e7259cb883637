import type { Billing } from '../../src/billing/context.ts';
import { noProvider } from '../../src/billing/provider/unconfigured-provider.ts';
import { callbackEndpoints } from '../../src/doors/billing-api/callback.ts';
import { billingEndpoints } from '../../src/doors/billing-api/endpoints.ts';
import { billingDescription } from '../../src/doors/billing-api/openapi.ts';
import { openApiDocument } from '../../src/doors/http/openapi.ts';
import { registrarEndpoints } from '../../src/doors/registrar-api/endpoints.ts';
import { registrarDescription } from '../../src/doors/registrar-api/openapi.ts';
import { reservationEndpoints } from '../../src/doors/reservation-api/endpoints.ts';
import { reservationDescription } from '../../src/doors/reservation-api/openapi.ts';
import type { Database } from '../../src/platform/sql/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { ReservationDependencies } from '../../src/reservations/dependencies.ts';
import type { OpenApi } from './document.ts';

/** The API document without a server: describing a call needs no database. */
export function apiDocument(): OpenApi {
  return openApiDocument(
    registrarDescription,
    registrarEndpoints({ database: {} as Database, policy: ee, provider: noProvider }),
    '0',
  ) as OpenApi;
}

export function reservationDocument(): OpenApi {
  const reservations = { policy: ee } as ReservationDependencies;
  const access = { find: () => Promise.reject(new Error('nothing is asked for')) };
  return openApiDocument(
    reservationDescription(ee),
    reservationEndpoints({ reservations, access }),
    '0',
  ) as OpenApi;
}

export function billingDocument(): OpenApi {
  const callback = callbackEndpoints({
    ...{ database: {} as Database, pollSoon: () => undefined, pollUnknownSoon: () => undefined },
  });
  const endpoints = billingEndpoints({ billing: { policy: ee } as Billing });
  return openApiDocument(billingDescription, [...endpoints, ...callback], '0') as OpenApi;
}

/** The documents of all APIs, by name. */
export const documentsByName = () => ({
  registrar: apiDocument(),
  reservation: reservationDocument(),
  billing: billingDocument(),
});
export const apiDocuments = (): OpenApi[] => Object.values(documentsByName());

export function everyEndpoint(): { id: string; statuses: number[] }[] {
  const paths = apiDocuments().flatMap((document) => Object.values(document.paths));
  return paths.flatMap((operations) =>
    Object.values(operations).map(({ operationId, responses }) => ({
      id: operationId,
      statuses: Object.keys(responses).map(Number),
    })),
  );
}
