/**
 * On every answer of every door, unless a route sets its own: answers hold codes and personal data, which no cache may
 * store, and no browser may guess another type than the declared one.
 */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** One year. Without subdomains: the hosts below ours may belong to others. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' } as const;

export type AnswerHeaders = Readonly<Record<string, string>>;

/** HSTS only where this server terminates TLS itself; behind a proxy it is the proxy's to promise. */
export const answerHeaders = (terminatesTls: boolean): AnswerHeaders =>
  terminatesTls ? { ...COMMON_HEADERS, ...HSTS } : COMMON_HEADERS;
