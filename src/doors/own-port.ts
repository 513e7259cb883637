import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';

const DEFAULT_HTTP_PORT = 8080;

/** The setting of a port of its own that a protocol beside HTTP has. */
export type PortSetting = Config['eppPort'];

/** Whether the settings open the door: in the sandbox unless it is off, in `serve` only where a port is set. */
export const isOpened = (setting: PortSetting, { mode }: Pick<Config, 'mode'>): boolean =>
  setting === undefined ? mode === 'sandbox' : setting !== 'off';

/** In the sandbox a port that was not set by hand moves where it is taken, or where the sandbox is not the only one. */
export function portsToTry(
  setting: PortSetting,
  byDefault: number,
  { port }: Pick<Config, 'port'>,
): readonly number[] {
  if (typeof setting === 'number') return [setting];
  return port === DEFAULT_HTTP_PORT ? [byDefault, 0] : [0];
}

type Listening = { readonly port: number };
type Start<Server> = (at: { readonly host: string; readonly port: number }) => Promise<Server>;
type Door = {
  /** The name of the setting. */
  readonly setting: string;
  readonly ports: readonly number[];
  readonly config: Pick<Config, 'host' | 'mode'>;
  readonly log: Logger;
};

/**
 * Listens on the first port that is free. `localhost` resolves to both addresses of loopback, so that the sandbox has a
 * second listener; a machine without IPv6 needs none.
 */
export async function listenOn<Server extends Listening>(
  { setting, ports, config: { host, mode }, log }: Door,
  start: Start<Server>,
): Promise<readonly [Server, ...Server[]]> {
  const server = await listenOnFirst(setting, ports, (port) => start({ host, port }));
  if (mode !== 'sandbox' || host !== '127.0.0.1') return [server];
  const second = await start({ host: '::1', port: server.port }).catch((error) =>
    log.warn({ err: error, setting }, 'the sandbox does not listen on ::1'),
  );
  return second ? [server, second] : [server];
}

async function listenOnFirst<Server>(
  setting: string,
  [port = 0, ...others]: readonly number[],
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  try {
    return await start(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    if (others.length > 0) return listenOnFirst(setting, others, start);
    throw new ConfigError(`The port is taken (${message}). Set ${setting} to another one.`);
  }
}
