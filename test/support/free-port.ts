import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import os from 'node:os';

/** Each worker of the tests has ports of its own, so that no two choose the same one at the same time. */
const PORTS = 2_000;
const FIRST_PORT = 20_000 + PORTS * (Number(process.env.VITEST_POOL_ID ?? 0) % 5);

/** A port that was chosen is bound a moment later: nobody else of this process may choose it meanwhile. */
const chosen = new Set<number>();

/** Below the ports that the system hands out by itself, so that nobody gets it between now and its use. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (chosen.has(port)) continue;
    chosen.add(port);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Containers often have none. */
export const hasIpv6Loopback = (): boolean =>
  Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
