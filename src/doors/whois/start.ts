import { ClockWrong } from '../../platform/clock/checked-clock.ts';
import { RateLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import type { LookupLimits } from '../../registry/lookup/lookup-limits.ts';
import { reportDatabaseFailure } from '../database-failure.ts';
import type { DoorDependencies, OpenDoor } from '../door.ts';
import { listenOn, portsToTry } from '../own-port.ts';
import { QueryAnswerer, type QueryEvent } from './answer-query.ts';
import { startWhoisServer } from './whois-server.ts';

type Dependencies = Omit<DoorDependencies, 'origin'> & {
  readonly lookups: LookupLimits;
  /** Of the page where people look domains up. */
  readonly lookupUrl: () => string;
  /** Whether several processes listen on the port. */
  readonly isShared: boolean;
};

const DEFAULT_PORT = 8043;
/** Below the time after which a stop is given up. */
const DRAIN_TIMEOUT_MS = 15_000;
/** Of queries beyond the limit of one address; all of them are counted. */
const LOGGED_REFUSALS_PER_MINUTE = 6;

/** Answers WHOIS queries of anybody. Maintenance of the APIs does not stop it. */
export async function startWhois(parts: Dependencies): Promise<OpenDoor> {
  const { config, database, clock, policy, log, metrics, lookups, lookupUrl, isShared } = parts;
  const refusals = new RateLimiter<string>(LOGGED_REFUSALS_PER_MINUTE);
  const answered = ({ ms, ...event }: QueryEvent) => {
    const { result, address } = event;
    metrics.whoisQueries.observe({ result }, ms / 1000);
    if (result !== 'limited' || refusals.take(addressBucket(address)).allowed)
      log.info({ ...event, ms: Math.round(ms * 100) / 100 }, 'WHOIS query');
  };
  const failed = (error: unknown, reqId: string) => {
    if (error instanceof ClockWrong || reportDatabaseFailure(error, reqId, { log, metrics }) !== undefined)
      return;
    log.error({ err: error, reqId }, 'unexpected error');
  };
  const answerer = new QueryAnswerer({
    reads: database.reads,
    clock,
    policy,
    limits: lookups,
    answered,
    failed,
    lookupUrl,
    isDatabaseAvailable: () => database.isAvailable(),
  });
  const options = {
    trustedProxies: config.trustedProxies,
    timeouts: { answerMs: config.answerTimeoutMs },
    answer: (query: Buffer, address: string) => answerer.answer(query, address),
    ended: (reason: string) => metrics.whoisConnectionsEnded.inc({ reason }),
  };
  const ports = portsToTry(config.whoisPort, DEFAULT_PORT, config);
  const servers = await listenOn({ setting: 'WHOIS_PORT', ports, config, log }, (at) =>
    startWhoisServer({ ...options, ...at, isShared }),
  );
  const [{ port }] = servers;
  metrics.watch('cadastre_whois_connections', 'WHOIS connections', () =>
    servers.reduce((sum, { connections }) => sum + connections(), 0),
  );
  return {
    port,
    drain: async () => void (await Promise.all(servers.map(({ drain }) => drain(DRAIN_TIMEOUT_MS)))),
  };
}
