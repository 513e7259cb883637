import type { Registry } from 'prom-client';

/** Events of a rate limit: the name of the limit, the key and their number. */
export type Counts = readonly (readonly [limit: string, key: string | number, count: number])[];
export type CollectedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Of a process that takes requests. The other processes listen on the same; undefined is closed. */
export type ListeningPorts = {
  readonly port: number;
  readonly eppPort: number | undefined;
  readonly whoisPort: number | undefined;
};

/** From a process of `serve` to its supervisor. */
export type FromProcess =
  | { readonly kind: 'alive' }
  | ({ readonly kind: 'listening' } & ListeningPorts)
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: CollectedMetrics };

/** From the supervisor to a process. */
export type ToProcess =
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'collect metrics'; readonly id: number };

/** The environment of a process tells its place among the others. */
export const PROCESS_NUMBER = 'CADASTRE_PROCESS';
