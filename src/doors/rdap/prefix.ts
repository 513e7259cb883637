export const RDAP_PREFIX = '/rdap';

/** The base URL of the service, as a bootstrap file names it: it ends in a slash (RFC 9224, 3). */
export const baseUrl = (origin: string): string => `${origin}${RDAP_PREFIX}/`;
