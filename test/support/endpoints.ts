import type { Billing } from '../../src/billing/context.ts';
import { noProvider } from '../../src/billing/provider/unconfigured-provider.ts';
import { callbackEndpoints } from '../../src/doors/billing-api/callback.ts';
import { billingEndpoints } from '../../src/doors/billing-api/endpoints.ts';
import { billingDescription } from '../../src/doors/billing-api/openapi.ts';
import { openApiDocument } from '../../src/doors/http/openapi.ts';
import type { SchemaValidator } from '../../src/doors/http/validation.ts';
import { registrarEndpoints } from '../../src/doors/registrar-api/endpoints.ts';
import { registrarDescription } from '../../src/doors/registrar-api/openapi.ts';
import { reservationEndpoints } from '../../src/doors/reservation-api/endpoints.ts';
import { reservationDescription } from '../../src/doors/reservation-api/openapi.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { ReservationDependencies } from '../../src/reservations/dependencies.ts';
import type { OpenApi } from './document.ts';

// Describing a call needs no database.

const registrar = () =>
  registrarEndpoints({
    database: {} as Database,
    policy: ee,
    provider: noProvider,
    webhooks: { rules: { allowedNetworks: [], allowsLoopback: false }, secret: undefined },
  });
const reservation = () =>
  reservationEndpoints({
    reservations: { policy: ee } as ReservationDependencies,
    access: { find: () => Promise.reject(new Error('nothing is asked for')) },
  });
const billing = () => [
  ...billingEndpoints({ billing: { policy: ee } as Billing }),
  ...callbackEndpoints({
    database: {} as Database,
    pollSoon: () => undefined,
    pollUnknownSoon: () => undefined,
  }),
];

const PLACE = { version: '0', server: 'https://registry.example' };

/** The API document without a server. */
export const apiDocument = () => openApiDocument(registrarDescription(ee), registrar(), PLACE) as OpenApi;
export const reservationDocument = () =>
  openApiDocument(reservationDescription(ee), reservation(), PLACE) as OpenApi;
export const billingDocument = () => openApiDocument(billingDescription, billing(), PLACE) as OpenApi;

/** The schemas that the calls validate with, by operation. */
export const everySchema = (): { id: string; schemas: readonly SchemaValidator[] }[] =>
  [...registrar(), ...reservation(), ...billing()].map(({ method, path, query, body }) => ({
    id: `${method} ${path}`,
    schemas: [query, body],
  }));

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
