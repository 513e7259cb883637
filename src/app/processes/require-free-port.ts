import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError } from '../../platform/config/config.ts';

/** Processes that share a port would share it with any other program that does so too. */
export async function requireFreePort(port: number, host: string, setting = 'PORT'): Promise<void> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new ConfigError(`The port is taken (${error.message}). Set ${setting} to another one.`);
  });
  probe.close();
  await once(probe, 'close');
}
