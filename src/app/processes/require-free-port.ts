import { once } from 'node:events';
import { createServer } from 'node:net';

/** Processes that share a port would share it with any other program that does so too. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
