import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import { FORM_TYPE, mediaType } from '../http/negotiation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that other sites link to, such as the payment page. */
    readonly linkedFromElsewhere?: boolean;
    /** The body type that a simulated service accepts instead of JSON. */
    readonly bodyType?: string;
  }
}

type Refusal = { readonly status: 403 | 415; readonly error: string };

const JSON_TYPE = 'application/json';
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
 * The sandbox has no login, so every request must prove that it was not made by a foreign page in the user's browser:
 * by its Host, by the browser's origin headers, and by a body type that no form can send.
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

/** A top-level navigation: the linking page can neither read nor frame the result. */
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
  /** Started with --expose: other machines reach it by any of its addresses. */
  readonly exposed: boolean;
  readonly port: () => number;
};

export type OwnHosts = {
  /** Takes the value of a Host header. */
  isOwnHost(host: string | undefined): boolean;
  /** Takes the Origin header of a request that was sent to this Host of ours. */
  isOwnOrigin(origin: string, host: string): boolean;
};

const isLoopback = addressMatcher(['127.0.0.0/8', '::1/128']);
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Our names and addresses. A foreign page can resolve its own name to loopback (DNS rebinding), but its requests still
 * carry that name; an address cannot be rebound, so --expose allows any.
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

/** Without its port, as a URL normalises it. */
function hostnameIn(host: string): string | undefined {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(text) ? new URL(text).hostname : undefined;
}
