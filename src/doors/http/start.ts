import type { Server as TlsServer } from 'node:https';
import { Listeners } from '../../platform/port-listeners.ts';
import type { SpanExporter } from '../../platform/tracing/span-exporter.ts';
import type { ApiUser } from '../../registry/actor.ts';
import { trustedAuthorities } from '../../registry/certificates/authorities.ts';
import type { DoorDependencies, OpenDoor } from '../door.ts';
import { createServer, type HttpServer } from './http-server.ts';
import { registerTlsMetrics, TlsIdentity } from './tls.ts';

type Dependencies = Omit<DoorDependencies, 'clock' | 'policy'> & {
  readonly spans?: SpanExporter | undefined;
  /** Where a request for this path is routed to. */
  readonly rewritePath: (url: string) => string;
  /** Told of every answer to an API user: the call as method and path pattern, and its result. */
  readonly answered: (user: ApiUser, call: string, result: number) => void;
  /** The body of the answer to an invalid HTTP request. */
  readonly malformed: string;
  /** Whether several processes listen on the port. */
  readonly isShared: boolean;
};

export type OpenHttp = HttpServer &
  OpenDoor & {
    /** Once all routes are there. Returns the port. */
    listen(): Promise<number>;
  };

/** The server that most doors are routes of. */
export async function openHttp(parts: Dependencies): Promise<OpenHttp> {
  const { config, log, metrics, origin, isShared } = parts;
  const tls = await tlsIdentity(parts);
  const server = createServer({
    ...parts,
    ...(tls && { tls: { identity: tls.options, askClients: config.certificates === 'direct' } }),
  });
  const { app } = server;
  const listeners = new Listeners(app.server);
  metrics.watch(
    'cadastre_requests_in_flight',
    'Requests under way; from MAX_REQUESTS_IN_FLIGHT on new ones get 503',
    server.inFlight,
  );
  metrics.watch('cadastre_connections', 'Connections of clients', server.connections);
  if (tls) registerTlsMetrics(metrics, tls);
  return {
    ...server,
    async listen() {
      const address = { port: config.port, host: config.host, isShared };
      const port = await listeners.listen(address, (options) => app.listen(options));
      origin.listensOn(port);
      // `localhost` resolves to both; a machine without IPv6 needs no second listener.
      if (config.mode === 'sandbox' && config.host === '127.0.0.1')
        await listeners
          .add({ host: '::1', port })
          .catch((error) => log.warn({ err: error }, 'the sandbox does not listen on ::1'));
      return port;
    },
    refresh: async () => tls?.refresh(app.server as TlsServer),
    reload: async () => tls?.reload(app.server as TlsServer),
    drain: async () => void (await Promise.all([listeners.close(), app.close()])),
  };
}

/** Clients are sent the accepted CAs, so that they can choose the certificate to present. */
async function tlsIdentity({
  config,
  database,
  log,
}: Pick<Dependencies, 'config' | 'database' | 'log'>): Promise<TlsIdentity | undefined> {
  const { tlsKeyFile: key, tlsCertificateFile: certificate, certificates } = config;
  if (key === undefined || certificate === undefined) return undefined;
  const authorities = async () =>
    certificates === 'direct'
      ? (await trustedAuthorities(database.reads)).map((authority) => authority.certificate)
      : [];
  return TlsIdentity.read({ key, certificate }, authorities, log);
}
