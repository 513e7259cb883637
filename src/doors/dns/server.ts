import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server } from 'node:net';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { type DnsConnectionOptions, DnsConnections } from './connections.ts';
import { RequestHandler, type RequestHandlerOptions } from './request-handler.ts';

const MAX_UDP_IN_PROGRESS = 200;
const BIND_ATTEMPTS = 5;

export type DnsServerOptions = RequestHandlerOptions &
  DnsConnectionOptions & {
    readonly host: string;
    readonly port: number;
    readonly reusePort?: boolean;
  };

export type DnsServer = {
  readonly port: number;
  readonly connections: () => number;
  /** Answers no more, and resolves when transfers under way have ended; those left after the timeout are cut. */
  readonly drain: (timeoutMs: number) => Promise<void>;
};

/** The hidden primary: serves zones to secondaries over UDP and TCP on one port. */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const handler = new RequestHandler(options);
  const connections = new DnsConnections(handler, options);
  const { tcp, udp, port } = await bindBoth(options, BIND_ATTEMPTS);
  tcp.on('connection', (socket) => connections.accept(socket));
  answerDatagrams(udp, handler, options.failed);
  let draining: Promise<void> | undefined;
  const drain = (timeoutMs: number) => {
    tcp.close();
    udp.close();
    return connections.drain(timeoutMs);
  };
  return {
    port,
    connections: () => connections.size,
    drain: (timeoutMs) => {
      draining ??= drain(timeoutMs);
      return draining;
    },
  };
}

type Bound = { readonly tcp: Server; readonly udp: UdpSocket; readonly port: number };

/** A free port of TCP may be taken for UDP; then another one is tried, unless the port was given. */
async function bindBoth(options: DnsServerOptions, attempts: number): Promise<Bound> {
  const { host, port, reusePort = false } = options;
  const tcp = createServer({ noDelay: true });
  tcp.listen({ host, port, reusePort });
  await once(tcp, 'listening');
  const bound = (tcp.address() as AddressInfo).port;
  const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', reusePort });
  try {
    udp.bind({ address: host, port: bound });
    await once(udp, 'listening');
  } catch (error) {
    tcp.close();
    udp.close();
    if (port !== 0 || attempts <= 1) throw error;
    return bindBoth(options, attempts - 1);
  }
  return { tcp, udp, port: bound };
}

function answerDatagrams(udp: UdpSocket, handler: RequestHandler, failed: (error: unknown) => void): void {
  let inProgress = 0;
  // A datagram that cannot be sent is asked for again.
  const sent = () => {};
  const answer = async (bytes: Buffer, address: string, port: number) => {
    const reply = await handler.handle(bytes, { address: normaliseAddress(address), transport: 'udp' });
    for await (const message of reply?.messages ?? []) udp.send(message, port, address, sent);
  };
  udp.on('message', (bytes, { address, port }) => {
    if (inProgress >= MAX_UDP_IN_PROGRESS || port === 0) return;
    inProgress += 1;
    answer(bytes, address, port)
      .catch(failed)
      .finally(() => {
        inProgress -= 1;
      });
  });
  udp.on('error', failed);
}
