import { wallClock } from '../../platform/clock/clock.ts';
import { RateLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/database/database.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import type { KnownSecondaries } from '../../registry/secondaries/known-secondaries.ts';
import { recordSecondaryQuery, recordSecondarySerial } from '../../registry/secondaries/list-secondaries.ts';
import { SecondaryProgress } from '../../registry/secondaries/secondary-progress.ts';
import type { Notifier, NotifyEvent } from './notify.ts';
import type { SandboxSecondaries } from './sandbox-secondaries.ts';
import type { DnsServerOptions } from './dns-server.ts';

type Dependencies = {
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly known: Pick<KnownSecondaries, 'noteUse'>;
  readonly notifier: Pick<Notifier, 'acknowledge'>;
  readonly sandbox?: SandboxSecondaries | undefined;
};
type Events = Pick<DnsServerOptions, 'requested' | 'answered' | 'delivered' | 'failed' | 'dropped' | 'ended'>;

/** Of refused requests of one address; all of them are counted. */
const LOGGED_REFUSALS_PER_MINUTE = 6;

/** Counts, logs and records what secondaries ask and get. */
export function recordedRequests({ log, metrics, known, notifier, sandbox, ...parts }: Dependencies): Events {
  const refusals = new RateLimiter<string>(LOGGED_REFUSALS_PER_MINUTE);
  const progress = recordedProgress(parts.database, log);
  return {
    requested: (event) => {
      const { type, result, secondary, key, zone, from } = event;
      metrics.dnsRequests.inc({ type, result });
      if (secondary !== undefined && key !== undefined) known.noteUse(secondary, key);
      if (secondary !== undefined && !sandbox?.has(secondary) && zone !== undefined) {
        if (from !== undefined) progress.said(secondary, zone, from);
        else if (type === 'SOA') progress.asked(secondary, zone);
      }
      if (result !== 'NOERROR' && refusals.take(addressBucket(event.address)).allowed)
        log.warn(event, 'DNS request refused');
    },
    answered: ({ secondary, zone, kind, serial }) => {
      const target = sandbox?.has(secondary) ? sandbox.onlyTarget : secondary;
      if (target !== undefined) notifier.acknowledge(target, zone, serial);
      if (kind === 'soa') return;
      metrics.dnsTransfers.inc({ zone, kind });
      log.info({ secondary, zone, kind, serial }, 'zone transferred');
    },
    delivered: (delivery) => {
      if (!sandbox?.has(delivery.secondary)) progress.delivered(delivery);
    },
    failed: (error) => log.error({ err: error }, 'a DNS request failed'),
    dropped: (reason) => metrics.dnsDatagramsDropped.inc({ reason }),
    ended: (reason) => metrics.dnsConnectionsEnded.inc({ reason }),
  };
}

function recordedProgress({ writes }: Pick<Database, 'writes'>, log: Logger): SecondaryProgress {
  const recorded = (secondary: string, zone: string, recording: Promise<void>) =>
    recording.catch((error) =>
      log.warn({ err: error, secondary, zone }, 'the serial of a secondary was not recorded'),
    );
  return new SecondaryProgress({
    has: (secondary, zone, serial) => {
      const at = wallClock.now();
      recorded(secondary, zone, recordSecondarySerial(writes, { secondary, zone, serial, at }));
    },
    asks: (secondary, zone) => {
      const at = wallClock.now();
      recorded(secondary, zone, recordSecondaryQuery(writes, { secondary, zone, at }));
    },
  });
}

export const recordedNotification =
  ({ log, metrics }: Pick<Dependencies, 'log' | 'metrics'>) =>
  (event: NotifyEvent): void => {
    metrics.dnsNotifications.inc({ result: event.result });
    if (event.result === 'gave-up') log.warn(event, 'a secondary does not answer notifications');
    else if (event.result === 'refused') log.warn(event, 'a secondary refuses a notification');
    else log.debug(event, 'secondary notified');
  };
