import type { IncomingHttpHeaders } from 'node:http';

/** Whether pages of an origin are our own, for a request to this host. */
export type IsOwnOrigin = (origin: string, host: string | undefined) => boolean;

/**
 * Whether a form may have been submitted by a page of another origin. Every browser says where it comes from, by one
 * header or the other, so that one without either is refused, too.
 */
export function isForeignForm(headers: IncomingHttpHeaders, isOwnOrigin: IsOwnOrigin): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin === undefined || !isOwnOrigin(origin, host);
}

/** Whether a browser says that another site led to a page. Bookmarks do not, nor do older browsers. */
export function isForeignLink(headers: IncomingHttpHeaders, isOwnOrigin: IsOwnOrigin): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !isOwnOrigin(origin, host);
}
