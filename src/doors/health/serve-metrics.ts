import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import { http } from '../../platform/node-http.ts';

const HIGHEST_PORT = 65_535;
const DISTANCE = 10_000;

/** A registry of metrics in the format of Prometheus. */
type Source = { readonly registry: { readonly contentType: string; metrics(): Promise<string> } };
export type MetricsServer = { readonly url: string; close(): Promise<void> };

/** /metrics on its own port, by default on loopback, so that no proxy can expose it by mistake. */
export async function serveMetrics(
  metrics: Source,
  { metricsHost: host, metricsPort: wanted }: Pick<Config, 'metricsHost' | 'metricsPort'>,
  apiPort: number,
): Promise<MetricsServer> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    return metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const usual = apiPort + DISTANCE;
  if (wanted !== undefined) await listen(server, wanted, host).catch(refuseAddress);
  else
    await listen(server, usual <= HIGHEST_PORT ? usual : 0, host).catch(() =>
      listen(server, 0, host).catch(refuseAddress),
    );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function refuseAddress(error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new ConfigError(`METRICS_HOST is no address of this machine (${error.message}).`);
  if (error.code !== 'EADDRINUSE') throw error;
  throw new ConfigError(`The port is taken (${error.message}). Set METRICS_PORT to another one.`);
}
