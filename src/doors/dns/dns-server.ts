import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server } from 'node:net';
import { BACKLOG } from '../../platform/port-listeners.ts';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { AnswerLimit } from './answer-limit.ts';
import { type DnsConnectionOptions, DnsConnections } from './dns-connections.ts';
import { RequestHandler, type RequestHandlerOptions } from './request-handler.ts';

const MAX_UDP_IN_PROGRESS = 200;
/** What goes through every network in one piece; a request is much shorter. */
const MAX_DATAGRAM_BYTES = 1_232;
const BIND_ATTEMPTS = 5;

export type DnsServerOptions = RequestHandlerOptions &
  DnsConnectionOptions & {
    readonly host: string;
    readonly port: number;
    /** A datagram that gets no answer: too large, of an unauthenticated client above its limit, or while too many others are in progress. */
    readonly dropped: (reason: 'too-large' | 'rate-limited' | 'overloaded') => void;
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
  answerDatagrams(udp, handler, options);
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
  const { host, port } = options;
  // A client may end its side after the last request, and wait for the answer.
  const tcp = createServer({ noDelay: true, allowHalfOpen: true });
  tcp.listen({ host, port, backlog: BACKLOG });
  await once(tcp, 'listening');
  // The host may be a name, which each of the two could resolve to an address of another family.
  const { address, port: bound } = tcp.address() as AddressInfo;
  const udp = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    udp.bind({ address, port: bound });
    await once(udp, 'listening');
  } catch (error) {
    tcp.close();
    udp.close();
    if (port !== 0 || attempts <= 1) throw error;
    return bindBoth(options, attempts - 1);
  }
  return { tcp, udp, port: bound };
}

function answerDatagrams(
  udp: UdpSocket,
  handler: RequestHandler,
  { failed, dropped }: DnsServerOptions,
): void {
  const limit = new AnswerLimit();
  let inProgress = 0;
  // A datagram that cannot be sent is asked for again.
  const sent = () => {};
  const answer = async (bytes: Buffer, address: string, port: number) => {
    const reply = await handler.handle(bytes, { address: normaliseAddress(address), transport: 'udp' });
    if (!reply) return;
    // Only the signature tells a secondary from those that use its address.
    if (!reply.isAuthenticated && !limit.take(address)) {
      dropped('rate-limited');
      return;
    }
    for await (const message of reply.messages) udp.send(message, port, address, sent);
  };
  udp.on('message', (bytes, { address, port }) => {
    if (port === 0) return;
    if (bytes.length > MAX_DATAGRAM_BYTES) {
      dropped('too-large');
      return;
    }
    if (inProgress >= MAX_UDP_IN_PROGRESS) {
      dropped('overloaded');
      return;
    }
    inProgress += 1;
    answer(bytes, address, port)
      .catch(failed)
      .finally(() => {
        inProgress -= 1;
      });
  });
  udp.on('error', failed);
}
