import type { Config } from '../../platform/config/config.ts';

/** Settings that hold for all processes of one `serve` together. Requests per minute are counted together instead. */
const DIVIDED = [
  'maxRequestsInFlight',
  'maxRequestsPerAddress',
  'maxConnectionsPerAddress',
  'failuresPerMinute',
  'readConnections',
  'listConnections',
  'writeConnections',
] as const satisfies readonly (keyof Config)[];

/** The settings of one of several processes: its share of each limit, rounded up. */
export function shareOf(config: Config, processes: number): Config {
  const shares = DIVIDED.map((name) => [name, Math.ceil(config[name] / processes)] as const);
  return { ...config, ...Object.fromEntries(shares) };
}
