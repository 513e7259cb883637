// prom-client declares only its index. What it has in these files is the same.
declare module 'prom-client/lib/cluster.js' {
  export { AggregatorRegistry as default } from 'prom-client';
}
declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client';
}
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}
declare module 'prom-client/lib/histogram.js' {
  export { Histogram as default } from 'prom-client';
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}
declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client';
  export default function register(
    registry: Registry,
    config: { eventLoopMonitoringPrecision: number },
  ): void;
}
