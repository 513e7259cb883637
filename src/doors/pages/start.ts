import { wallClock } from '../../platform/clock/clock.ts';
import { version } from '../../platform/version.ts';
import { admitClient } from '../../registry/lookup/lookup-limits.ts';
import type { HttpDoorDependencies, OpenDoor } from '../door.ts';
import { type HealthDependencies, healthRoutes } from '../health/health.ts';
import { type PageDependencies, pageRoutes } from './routes.ts';

type Dependencies = Pick<HttpDoorDependencies, 'app' | 'config' | 'database' | 'clock' | 'rateLimits'> &
  Omit<HealthDependencies, 'reads' | 'mode' | 'version'> &
  Omit<PageDependencies, 'mode' | 'version' | 'now' | 'admitSearch'>;

/** A person types a few; a network has many readers. */
const SEARCHES_PER_MINUTE = { ofAddress: 60, ofNetwork: 600 };

/** Health, the home page and the API reference: of every process, whatever doors it serves. */
export async function startPages(parts: Dependencies): Promise<OpenDoor> {
  const { app, config, database, clock, rateLimits } = parts;
  const limiters = {
    perAddress: rateLimits.limiter('searches of addresses', SEARCHES_PER_MINUTE.ofAddress),
    perNetwork: rateLimits.limiter('searches of networks', SEARCHES_PER_MINUTE.ofNetwork),
  };
  const { mode } = config;
  healthRoutes(app, { ...parts, reads: database.reads, mode, version });
  pageRoutes(app, {
    ...parts,
    mode,
    version,
    admitSearch: (address) => admitClient(limiters, address),
    now: () => (mode === 'sandbox' ? clock : wallClock).now(),
  });
  return {};
}
