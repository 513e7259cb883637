import { wallClock } from '../../platform/clock/clock.ts';
import { version } from '../../platform/version.ts';
import type { HttpDoorDependencies, OpenDoor } from '../door.ts';
import { type HealthDependencies, healthRoutes } from '../health/health.ts';
import { type PageDependencies, pageRoutes } from './routes.ts';

type Dependencies = Pick<HttpDoorDependencies, 'app' | 'config' | 'database' | 'clock'> &
  Omit<HealthDependencies, 'reads' | 'mode' | 'version'> &
  Omit<PageDependencies, 'mode' | 'version' | 'now'>;

/** Health, the home page and the API reference: of every process, whatever doors it serves. */
export async function startPages(parts: Dependencies): Promise<OpenDoor> {
  const { app, config, database, clock } = parts;
  const { mode } = config;
  healthRoutes(app, { ...parts, reads: database.reads, mode, version });
  pageRoutes(app, {
    ...parts,
    mode,
    version,
    now: () => (mode === 'sandbox' ? clock : wallClock).now(),
  });
  return {};
}
