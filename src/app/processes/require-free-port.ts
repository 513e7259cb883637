import { ConfigError } from '../../platform/config/config.ts';
import { requireUnused } from '../../platform/port-listeners.ts';

/** Several processes listen on it, which none of them can refuse. */
export async function requireFreePort(port: number, host: string, setting = 'PORT'): Promise<void> {
  await requireUnused(port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new ConfigError(`The port is taken (${error.message}). Set ${setting} to another one.`);
  });
}
