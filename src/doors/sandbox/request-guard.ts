import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mediaType } from '../http/negotiation.ts';
import type { OwnHosts } from './own-hosts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that links of other sites lead to, such as a payer's way from a shop. */
    readonly linkedFromElsewhere?: boolean;
    /** What a simulated service takes in place of JSON. */
    readonly bodyType?: string;
  }
}

type Refusal = { readonly status: 403 | 415; readonly error: string };

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FOREIGN_HOST: Refusal = {
  status: 403,
  error: 'The sandbox answers to localhost, loopback addresses, HOST and the host of PUBLIC_URL only.',
};
const FOREIGN_PAGE: Refusal = {
  status: 403,
  error: 'The sandbox takes no requests from pages of other sites. Open the address by itself.',
};
const WRONG_TYPE: Refusal = {
  status: 415,
  error: "Send a body as application/json (curl: -H 'Content-Type: application/json'), or none.",
};

/**
 * Nobody has to log in at the sandbox, so every request must prove not to be made by a stranger's page in the browser
 * of somebody who runs one: by its Host, by what browsers say of its origin, and by a type of body that no form has.
 */
export function guardRequests(app: FastifyInstance, own: OwnHosts): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cross-origin-resource-policy', 'same-origin');
    const refusal = checkCaller(request, own) ?? checkBodyType(request, own);
    if (refusal) return reply.code(refusal.status).send({ error: refusal.error });
  });
}

function checkCaller({ method, headers, routeOptions }: FastifyRequest, own: OwnHosts): Refusal | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!own.isOwnHost(host)) return FOREIGN_HOST;
  if (origin !== undefined && !own.isOwnOrigin(origin, host)) return FOREIGN_PAGE;
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const isLink = isRead && routeOptions.config.linkedFromElsewhere === true && isNavigation(headers);
  return isLink ? undefined : FOREIGN_PAGE;
}

/** A page in a window of its own: whoever linked to it can neither read it nor frame it. */
const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

function checkBodyType({ headers, routeOptions }: FastifyRequest, own: OwnHosts): Refusal | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const type = mediaType(headers['content-type']);
  if (type === (routeOptions.config.bodyType ?? JSON_TYPE)) return undefined;
  const isFromOwnPage = site === 'same-origin' || (origin !== undefined && own.isOwnOrigin(origin, host));
  return type === FORM_TYPE && isFromOwnPage ? undefined : WRONG_TYPE;
}
