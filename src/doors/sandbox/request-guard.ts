import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import { mediaType } from '../http/negotiation.ts';

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

type Settings = {
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Started with --expose: other machines reach it by whatever address it has. */
  readonly exposed: boolean;
  readonly port: () => number;
};

export type OwnHosts = {
  /** By the value of a Host header. */
  isOwnHost(host: string | undefined): boolean;
  /** By the value of an Origin header of a request that was sent to this, our own, Host. */
  isOwnOrigin(origin: string, host: string): boolean;
};

const isLoopback = addressMatcher(['127.0.0.0/8', '::1/128']);
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The names and addresses that are ours. A page of a stranger can have its own name resolve to loopback (DNS
 * rebinding), but its requests then still carry that name; an address cannot be rebound, hence any with --expose.
 */
export function ownHosts({ host, publicUrl, exposed, port }: Settings): OwnHosts {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set(['localhost', hostnameIn(host), publicAddress?.hostname]);
  const isOwnName = (hostname: string): boolean => {
    const address = hostname.replace(/^\[|\]$/g, '');
    return names.has(hostname) || isLoopback(address) || (exposed && isIP(address) !== 0);
  };
  return {
    isOwnHost(given) {
      const hostname = given === undefined ? undefined : hostnameIn(given);
      return hostname !== undefined && isOwnName(hostname);
    },
    isOwnOrigin(origin, given) {
      if (origin === publicAddress?.origin) return true;
      if (!URL.canParse(origin)) return false;
      const url = new URL(origin);
      return (
        url.host === given.toLowerCase() ||
        LOOPBACK_NAMES.some((name) => origin === `http://${name}:${port()}`)
      );
    },
  };
}

/** Without its port, in the one form in which a URL writes it. */
function hostnameIn(host: string): string | undefined {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(text) ? new URL(text).hostname : undefined;
}
