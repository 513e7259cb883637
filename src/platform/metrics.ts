import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from './prometheus.ts';

/** Below the scrape timeout of Prometheus. */
export const READING_TIMEOUT_MS = 2_000;

/** The metrics for Prometheus. Labels are routes and codes, never client data. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({
    name: 'cadastre_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer; status 499 is a client that left before it',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly jobs = new Histogram({
    name: 'cadastre_job_seconds',
    help: 'Time that a run of a job took',
    labelNames: ['name', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [this.registry],
  });
  readonly databaseTrouble = new Counter({
    name: 'cadastre_database_errors_total',
    help: 'Requests that ended in 503 because of the database, which was unavailable or busy, or because of a conflict',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  readonly connectionsEnded = new Counter({
    name: 'cadastre_connections_ended_total',
    help: 'Connections that the server ended because of what their client did or did not do',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly eppCommands = new Histogram({
    name: 'cadastre_epp_command_seconds',
    help: 'Time from the last byte of an EPP command to its answer',
    labelNames: ['command', 'result'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly eppConnectionsEnded = new Counter({
    name: 'cadastre_epp_connections_ended_total',
    help: 'EPP connections that ended, by the reason',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly dnsRequests = new Counter({
    name: 'cadastre_dns_requests_total',
    help: 'DNS requests, by what they asked for and the rcode of the answer, or BADKEY, BADSIG, BADTIME, or replayed',
    labelNames: ['type', 'result'],
    registers: [this.registry],
  });
  readonly dnsTransfers = new Counter({
    name: 'cadastre_dns_transfers_total',
    help: 'Transfers of zones that were sent completely: whole (AXFR, or IXFR too far behind), differences or up-to-date',
    labelNames: ['zone', 'kind'],
    registers: [this.registry],
  });
  readonly dnsNotifications = new Counter({
    name: 'cadastre_dns_notifications_total',
    help: 'Notifications of secondaries: answered, asked (told by a request of its own), refused or gave-up',
    labelNames: ['result'],
    registers: [this.registry],
  });
  readonly dnsDatagramsDropped = new Counter({
    name: 'cadastre_dns_datagrams_dropped_total',
    help: 'DNS requests over UDP that were not answered: too-large, rate-limited or overloaded',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly dnsConnectionsEnded = new Counter({
    name: 'cadastre_dns_connections_ended_total',
    help: 'DNS connections over TCP that ended, by the reason',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly whoisQueries = new Histogram({
    name: 'cadastre_whois_query_seconds',
    help: 'Time from the last byte of a WHOIS query to its answer',
    labelNames: ['result'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly whoisConnectionsEnded = new Counter({
    name: 'cadastre_whois_connections_ended_total',
    help: 'WHOIS connections that ended, by the reason',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly webhooks = new Histogram({
    name: 'cadastre_webhook_seconds',
    help: 'Time from an event to an attempt to deliver it: delivered, postponed or given up',
    labelNames: ['outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3600, 21600, 86400, 259200],
    registers: [this.registry],
  });

  readonly bulkJobsBegun = new Counter({
    name: 'cadastre_bulk_jobs_begun_total',
    help: 'Changes of many domains that people have begun in the console',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly bulkJobsFinished = new Counter({
    name: 'cadastre_bulk_jobs_finished_total',
    help: 'Changes of many domains that are done, whether all of their rows were changed or not',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly bulkJobRows = new Counter({
    name: 'cadastre_bulk_job_rows_total',
    help: 'Rows of changes of many domains by what became of them: changed, unchanged or refused',
    labelNames: ['kind', 'result'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics(this.registry);
  }

  registerBuildInfo(version: string, schema: number): void {
    new Gauge({
      name: 'cadastre_build_info',
      help: 'Always 1; the versions of the program, of its newest migration and of Node are its labels',
      labelNames: ['version', 'schema', 'node'],
      registers: [this.registry],
    }).set({ version, schema, node: process.versions.node }, 1);
  }

  /** A gauge that is read at each scrape; a failed reading does not affect the others. */
  watch(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const timeout = sleep(READING_TIMEOUT_MS, Number.NaN, { ref: false });
        this.set(await Promise.race([timeout, Promise.resolve(value()).catch(() => Number.NaN)]));
      },
    });
  }
}

const SAMPLE_INTERVAL_MS = 20;

/**
 * The longest time that this process blocked the event loop since the last scrape. Only CPU time counts: other programs
 * on a busy machine delay the event loop too, but that is not caused by our code.
 */
export function registerEventLoopMetrics(metrics: Metrics): () => void {
  let longest = 0;
  let [at, computed] = [performance.now(), computedMs()];
  const timer = setInterval(() => {
    const [now, computedNow] = [performance.now(), computedMs()];
    // Without a stall this is the CPU time between two samples, which is at most the interval.
    const stall = Math.min(now - at - SAMPLE_INTERVAL_MS, computedNow - computed);
    longest = Math.max(longest, stall);
    [at, computed] = [now, computedNow];
  }, SAMPLE_INTERVAL_MS).unref();
  metrics.watch(
    'cadastre_event_loop_stall_seconds',
    'The longest time since the last scrape that the process computed without a pause',
    () => {
      const seconds = longest / 1000;
      longest = 0;
      return seconds;
    },
  );
  return () => clearInterval(timer);
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
