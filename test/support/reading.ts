import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { Billing } from '../../src/billing/context.ts';
import type { Initiator } from '../../src/billing/invoices/invoice.ts';
import { type CallbackApi, callbackEndpoints } from '../../src/doors/billing-api/callback.ts';
import type { BillingApi } from '../../src/doors/billing-api/endpoint.ts';
import { billingEndpoints } from '../../src/doors/billing-api/endpoints.ts';
import { renderRefusals as renderForService } from '../../src/doors/billing-api/render-refusals.ts';
import type { RefusalRenderer } from '../../src/doors/http/http-answer.ts';
import type { ApiTypes, Endpoint } from '../../src/doors/http/endpoint.ts';
import type { ReservationApi } from '../../src/doors/reservation-api/endpoint.ts';
import { reservationEndpoints } from '../../src/doors/reservation-api/endpoints.ts';
import { renderRefusals as renderForPortal } from '../../src/doors/reservation-api/render-refusals.ts';
import type { NamedRefusal } from '../../src/operations/named-refusal.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import type { ReservationDependencies } from '../../src/reservations/dependencies.ts';
import { NOW } from './decisions.ts';

/** What a request is refused for by its schema and its parser, as it would be answered; no server is behind it. */
type Asked = { readonly body?: unknown; readonly query?: string };
type Answered = { readonly status: number; readonly body: unknown };
/** The answer to what can be read is left to the handler, which is not called. */
export const READABLE = 'readable';

function readerOf<A extends ApiTypes>(
  endpoints: readonly Endpoint<A>[],
  renderRefusals: RefusalRenderer,
): (id: string, asked: Asked, caller: A['caller']) => Answered | typeof READABLE {
  return (id, { body, query = '' }, caller) => {
    const endpoint = endpoints.find((each) => each.id === id);
    if (!endpoint) throw new Error(`no call ${id}`);
    // As JSON has it: members that are undefined are not sent.
    const sent = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
    const request = { body: sent, query: parse(query), params: {}, headers: {} } as unknown as FastifyRequest;
    const refusals: NamedRefusal[] = [];
    endpoint.read(request, { caller, now: NOW }, refusals);
    const [first, ...rest] = refusals;
    if (!first) return READABLE;
    const { status, body: answer } = renderRefusals([first, ...rest]);
    return { status, body: answer };
  };
}

const billing = billingEndpoints({ billing: { policy: ee } as Billing });
const forService = readerOf<BillingApi>(billing, renderForService);
/** A body as a service sends it. */
export const readForService = (id: string, body: unknown, caller: Initiator = 'auction') =>
  forService(id, { body }, caller);
/** The calls of services that have a body. */
export const callsWithBody = billing.filter(({ hasBody }) => hasBody).map(({ id }) => id);

const callback = readerOf<CallbackApi>(
  callbackEndpoints({
    database: {} as Database,
    pollSoon: () => undefined,
    pollUnknownSoon: () => undefined,
  }),
  renderForService,
);
export const readCallback = (query: string) => callback('receiveCallback', { query }, { address: '' });

const portal = readerOf<ReservationApi>(
  reservationEndpoints({
    reservations: { policy: ee } as ReservationDependencies,
    access: { find: () => Promise.reject(new Error('nothing is looked up')) },
  }),
  renderForPortal,
);
export const readForPortal = (id: string, asked: Asked) => portal(id, asked, { id: 1, name: 'portal' });
