import type { Config } from '../platform/config/config.ts';

const DEFAULT_PORT = 8700;
const DEFAULT_HTTP_PORT = 8080;

/** Whether the settings open EPP. */
export const hasEpp = ({ eppPort, mode }: Pick<Config, 'eppPort' | 'mode'>): boolean =>
  eppPort === undefined ? mode === 'sandbox' : eppPort !== 'off';

/** In the sandbox a port that was not set by hand moves where it is taken, or where the sandbox is not the only one. */
export function portsToTry({ eppPort, port }: Pick<Config, 'eppPort' | 'port'>): readonly number[] {
  if (typeof eppPort === 'number') return [eppPort];
  return port === DEFAULT_HTTP_PORT ? [DEFAULT_PORT, 0] : [0];
}
