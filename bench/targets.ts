/** What share of the baseline an operation must reach at the least; below it the run fails. */
export type Target = { readonly operation: string; readonly least: number };

export const targets: readonly Target[] = [
  { operation: 'GET contact', least: 0.25 },
  { operation: 'POST contact', least: 0.13 },
  { operation: 'PUT contact', least: 0.13 },
  { operation: 'GET domain', least: 0.25 },
  { operation: 'GET 200 detailed domains', least: 0.015 },
  { operation: 'POST domain (20 registrars)', least: 0.07 },
  { operation: 'renew domain', least: 0.08 },
  { operation: 'transfer domain', least: 0.05 },
  { operation: 'GET balance', least: 0.25 },
  { operation: 'suggest names', least: 0.1 },
  { operation: 'reserve a name', least: 0.07 },
  // Of the REST calls over TLS.
  { operation: 'EPP domain info', least: 0.6 },
  { operation: 'EPP domain create', least: 0.8 },
];

/** The least share of an operation, as a part of the share that another one has in the same run. */
export type RelativeTarget = Target & { readonly of: string };

export const relativeTargets: readonly RelativeTarget[] = [
  { operation: 'RDAP domain', of: 'GET domain', least: 0.8 },
  { operation: 'console list of 50 domains', of: 'GET 50 detailed domains', least: 0.5 },
];

/** Within how many milliseconds 99 of 100 answers come at half of the full load. */
export const MAX_MS_AT_HALF = { read: 10, write: 40, page: 50 } as const;
/** What the serving process may hold, in bytes. */
export const MAX_MEMORY = 250e6;
/** How many times as much an operation may cost with a hundred times as many domains. */
export const MAX_GROWTH = 4 / 3;
