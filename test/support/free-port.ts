import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';

/** Each worker of the tests has ports of its own: no two have to look for the same one. */
const PORTS = 2_000;
const WORKERS = 5;
const EPHEMERAL_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

/** Below the ports that the system hands out by itself, to clients too, so that nobody gets one between now and its use. */
const FIRST_PORT =
  Math.min(20_000, firstEphemeralPort() - WORKERS * PORTS) +
  PORTS * (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS);

function firstEphemeralPort(): number {
  if (!existsSync(EPHEMERAL_RANGE)) return 49_152;
  const first = Number(readFileSync(EPHEMERAL_RANGE, 'utf8').split(/\s/)[0]);
  // Where the system hands out all of them, none is safe.
  return first > 1_024 + WORKERS * PORTS ? first : 49_152;
}

/** A port that was chosen is bound a moment later, and perhaps again after that: nobody may choose it meanwhile. */
const chosen = new Set<number>();

/** A port that no other test has, nor any other program of ours on this machine, while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (!(await reserve(port))) continue;
    const server = createServer();
    if (!(await listens(server, { port, host: '127.0.0.1' }))) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * Programs that a test starts and other runs of the tests choose from the same ports. An abstract socket is had by one
 * process at a time, and ends with it however it ends. Other systems than Linux have none.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return listens(createServer().unref(), { path: `\0cadastre-port-${port}` });
}

const listens = (
  server: Server,
  place: { port: number; host: string } | { path: string },
): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(place, () => resolve(true));
  });

/** Containers often have none. */
export const hasIpv6Loopback = (): boolean =>
  Object.values(os.networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
