import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { framed } from '../../test/support/epp.ts';
import type { Parts, Sabotage } from './sabotage.ts';
import { ignoreErrors } from './sabotage.ts';

const SOME = 0.5;
const HELLO = framed('<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>');
const MAX_PEERS = 24;
const MAX_HOLD_MS = 2_500;
const CONNECT_TIMEOUT_MS = 5_000;
const UNREAD_HELLOS = 5_000;

/** Hostile peers, which the server must tolerate and disconnect by its timeouts. */
const BEHAVIOURS = {
  silence: () => {},
  'half a header': (socket: Socket) => void socket.write(HELLO.subarray(0, 2)),
  'half a frame': (socket: Socket) => void socket.write(HELLO.subarray(0, HELLO.length / 2)),
  'a frame of 4 GB': (socket: Socket) => void socket.write(Buffer.alloc(16, 0xff)),
  'no XML': (socket: Socket) => void socket.write(framed('<epp xmlns="')),
  /** Asks without end and reads nothing. */
  'a slow reader': (socket: Socket) => {
    socket.pause();
    for (let sent = 0; sent < UNREAD_HELLOS && socket.write(HELLO); sent++);
  },
} satisfies Record<string, (socket: Socket) => void>;
/** What is sent instead of a TLS handshake. */
const WITHOUT_TLS = { 'nothing at all': '', 'no TLS': 'GET / HTTP/1.1\r\n\r\n' };
type Behaviour = keyof typeof BEHAVIOURS | keyof typeof WITHOUT_TLS;
const behaviours = Object.keys({ ...BEHAVIOURS, ...WITHOUT_TLS }) as Behaviour[];

/** EPP clients that lose their connections, and hostile peers. */
export const epp = {
  cutEpp: {
    weight: 6,
    carryOut: async ({ world, chance, count }) => {
      const meant = [...world.eppSockets].filter(() => chance.happens(SOME));
      for (const socket of meant) {
        if (chance.happens(0.5)) socket.resetAndDestroy();
        else socket.destroy();
      }
      count('EPP connections cut', meant.length);
    },
  },
  hostileEppPeers: {
    weight: 4,
    carryOut: async (parts) => {
      const { chance } = parts;
      const peers = Array.from(
        { length: 1 + chance.below(MAX_PEERS) },
        () => chance.oneOf(behaviours) ?? 'silence',
      );
      const sockets = await Promise.all(
        peers.map((behaviour) => ignoreErrors(() => connectHostilePeer(behaviour, parts))),
      );
      await sleep(chance.below(MAX_HOLD_MS));
      for (const socket of sockets) socket?.destroy();
    },
  },
} satisfies Record<string, Sabotage>;

async function connectHostilePeer(behaviour: Behaviour, { world, chance, count }: Parts): Promise<Socket> {
  const { eppPort: port } = world.place.node(chance);
  const hasTls = behaviour in BEHAVIOURS;
  const peer = { port, host: '127.0.0.1' };
  const socket = hasTls ? connectTls({ ...peer, rejectUnauthorized: false }) : connect(peer);
  socket.on('error', () => {});
  try {
    const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    await once(socket, hasTls ? 'secureConnect' : 'connect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  if (behaviour in WITHOUT_TLS) socket.write(WITHOUT_TLS[behaviour as keyof typeof WITHOUT_TLS]);
  else BEHAVIOURS[behaviour as keyof typeof BEHAVIOURS](socket);
  count(`EPP peers: ${behaviour}`);
  return socket;
}
