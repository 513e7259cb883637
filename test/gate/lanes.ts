/** Which files a command runs. `npm test` runs what no list here names. */

/** Long by nature: one of these takes seconds, whatever is done. Each has its rules and its calls in `npm test` too. */
export const SLOW: readonly string[] = [
  // Races, models, fuzz and torture.
  'test/races/**/*.test.ts',
  'test/properties/**/*.test.ts',
  'test/torture/**/*.test.ts',
  'test/doors/http/hostile-clients.test.ts',
  'test/billing/callback-flood.test.ts',
  'test/billing/year.test.ts',
  // Processes and database servers that are started, frozen and killed.
  'test/start/**/*.test.ts',
  'test/scripts/**/*.test.ts',
  'test/app/processes/**/*.test.ts',
  'test/app/example-data/**/*.test.ts',
  'test/app/lazy-packages.test.ts',
  'test/app/neighbouring-schema.test.ts',
  'test/app/production.test.ts',
  'test/app/shutdown.test.ts',
  'test/app/wrong-time.test.ts',
  'test/backup/**/*.test.ts',
  'test/recovery/**/*.test.ts',
  'test/commands/executable.test.ts',
  'test/commands/wrong-clock.test.ts',
  'test/doors/rdap/processes.test.ts',
  'test/embedded-postgres/**/*.test.ts',
  'test/platform/database/{failover,lost-connection,lost-transactions,outage}.test.ts',
  'test/platform/migrations/{migrate,upgrade}.test.ts',
  'test/platform/database/{pgbouncer,replica,stale-plans,stock-postgresql,storm,tls}.test.ts',
  // Programs that others wrote: name servers, clients, checkers, shells that run the commands of the documents.
  'test/app/dns-disasters.test.ts',
  'test/app/dns-rollover.test.ts',
  'test/deploy/{image,other-architecture,prometheus}.test.ts',
  'test/docs/operations.test.ts',
  'test/docs/readme-tour.test.ts',
  'test/doors/dns/dig.test.ts',
  'test/doors/dns/public-servers.test.ts',
  'test/doors/dns/publication-latency.test.ts',
  'test/doors/dns/signed-chain.test.ts',
  'test/doors/epp/haproxy.test.ts',
  'test/doors/epp/net-epp.test.ts',
  'test/doors/pages/{sample-runs,samples}.test.ts',
  'test/doors/rdap/foreign-clients.test.ts',
  'test/packages/foreign-generators.test.ts',
  'test/packages/shop.test.ts',
  'test/packages/**/package.test.ts',
  // Every command of the terminal, several times; `npm test` has the tests of each.
  'test/doors/recorded/commands.test.ts',
  // A browser, page by page; `npm test` has axe on every rendered page of the console and the look-up, and journeys.
  'test/pages/console-*.test.ts',
  'test/pages/{documents,foreign-pages,mail,pages,payment,trial}.test.ts',
  // The benchmark on a small scale.
  'test/performance/**/*.test.ts',
];

/** What holds of the code as it is written: part of `npm run check`. */
export const CODE: readonly string[] = ['test/code/**/*.test.ts'];

/** Races, models, kills and torture: what fails there once in a hundred runs is what they look for. */
export const NEVER_REPEATED: readonly string[] = [
  'test/races/**',
  'test/properties/**',
  'test/torture/**',
  'test/start/**',
  'test/app/processes/**',
  'test/embedded-postgres/**',
  'test/platform/database/{failover,lost-connection,lost-transactions,outage}.test.ts',
  'test/platform/migrations/{migrate,upgrade}.test.ts',
  'test/platform/database/{replica,storm}.test.ts',
  'test/backup/**',
  'test/recovery/**',
  'test/billing/callback-flood.test.ts',
  'test/packages/shop.test.ts',
];
