import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that a form was submitted by a page of another origin. Programs say nothing and are let
 * through: they forge nobody's request.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  return origin !== new URL(publicUrl).origin && new URL(origin).host !== host?.toLowerCase();
}
