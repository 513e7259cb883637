import { onTestFinished } from 'vitest';
import {
  type EppPeer,
  type EppServer,
  type EppServerOptions,
  type EppSession,
  startEppServer,
} from '../../src/doors/epp/wire/epp-server.ts';
import { type Identity, selfSigned } from './certificates.ts';

/** One for all tests of a file: making it takes longer than most of them. */
let identity: Promise<Identity> | undefined;

export type StubServer = EppServer & {
  readonly peers: EppPeer[];
  /** Why connections ended, in their order. */
  readonly ended: string[];
  /** How often the sessions were closed. */
  readonly closed: () => number;
  /** The most commands that ran at the same time. */
  readonly mostAtOnce: () => number;
  readonly handled: () => number;
  /** Lets commands `wait` end. */
  readonly release: () => void;
};

/**
 * A server whose sessions know a few words: `login` or `login <registrar>`, `wait`, `big <bytes>`, `bye`, `fail`. Everything else is echoed; a
 * large document as its length.
 */
export async function startStubServer(options: Partial<EppServerOptions> = {}): Promise<StubServer> {
  const seen = { peers: [] as EppPeer[], ended: [] as string[], closed: 0, running: 0, most: 0, handled: 0 };
  const waiting: (() => void)[] = [];
  const openSession = (peer: EppPeer): EppSession => {
    seen.peers.push(peer);
    let registrar: string | undefined;
    const answer = async (text: string): Promise<string> => {
      if (text.startsWith('login')) registrar = text.slice('login '.length) || 'ALPHA';
      if (text === 'fail') throw new Error('a session that breaks its promise');
      if (text === 'wait') await new Promise<void>((resolve) => waiting.push(resolve));
      if (text.startsWith('big ')) return 'x'.repeat(Number(text.slice(4)));
      return text.length > 1_000 ? String(text.length) : text;
    };
    return {
      greeting: () => `hello ${peer.address}`,
      refuseFrame: () => 'refused',
      get registrar() {
        return registrar;
      },
      handle: async (frame) => {
        const text = frame.toString();
        seen.handled += 1;
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        const xml = await answer(text).finally(() => {
          seen.running -= 1;
        });
        return { xml, ends: text === 'bye' };
      },
      close: () => {
        seen.closed += 1;
      },
    };
  };
  identity ??= selfSigned('localhost');
  const server = await startEppServer({
    port: 0,
    host: '127.0.0.1',
    identity: await identity,
    trustedProxies: [],
    maxConnectionsPerAddress: 100,
    idleTimeoutMs: 300_000,
    sweepIntervalMs: 20,
    openSession,
    ended: (reason: string) => seen.ended.push(reason),
    ...options,
  });
  onTestFinished(() => server.drain(0));
  return {
    ...server,
    peers: seen.peers,
    ended: seen.ended,
    closed: () => seen.closed,
    mostAtOnce: () => seen.most,
    handled: () => seen.handled,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}
