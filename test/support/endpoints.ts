import { noProvider } from '../../src/billing/provider/away.ts';
import { registrarEndpoints } from '../../src/doors/registrar-api/endpoints.ts';
import { openApiDocument } from '../../src/doors/registrar-api/openapi.ts';
import { reservationDocument } from '../../src/doors/reservation-api/openapi.ts';
import type { Database } from '../../src/platform/sql/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { OpenApi } from './document.ts';

/** The API document without a server: describing a call needs no database. */
export function apiDocument(): OpenApi {
  return openApiDocument(
    registrarEndpoints({ database: {} as Database, policy: ee, provider: noProvider }),
    '0',
  ) as OpenApi;
}

/** The documents of all APIs that have one. */
export const apiDocuments = (): OpenApi[] => [apiDocument(), reservationDocument('0') as OpenApi];

export function everyEndpoint(): { id: string; statuses: number[] }[] {
  const paths = apiDocuments().flatMap((document) => Object.values(document.paths));
  return paths.flatMap((operations) =>
    Object.values(operations).map(({ operationId, responses }) => ({
      id: operationId,
      statuses: Object.keys(responses).map(Number),
    })),
  );
}
