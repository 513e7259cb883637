import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, SocketAddress } from 'node:net';
import { onTestFinished } from './this-test.ts';

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const NXDOMAIN = 3;
/** The flags of an answer of a recursive server, and that it did not fit into a datagram. */
const ANSWER = 0x8180;
const TRUNCATED = 0x0200;
const MAX_DATAGRAM = 1_232;

/** What is known of a name: its addresses, that there is none, or that its servers never answer for a family. */
export type Records = {
  readonly addresses?: readonly string[];
  readonly isUnknown?: boolean;
  readonly silent?: readonly ('A' | 'AAAA')[];
};
type Question = { readonly name: string; readonly type: number; readonly end: number };

/** A recursive name server on loopback, over UDP and TCP, ended with its test. */
export class NameServer {
  readonly names = new Map<string, Records>();
  /** The queries for addresses as they came, such as `A hooks.example`. */
  readonly asked: string[] = [];
  readonly address: string;

  private constructor(port: number) {
    this.address = `127.0.0.1:${port}`;
  }

  static async start(names: Readonly<Record<string, Records>> = {}): Promise<NameServer> {
    const stream = createServer();
    await new Promise<void>((listening) => stream.listen(0, '127.0.0.1', listening));
    const { port } = stream.address() as AddressInfo;
    const server = new NameServer(port);
    for (const [name, records] of Object.entries(names)) server.names.set(name, records);
    stream.on('connection', (socket) => {
      socket.on('error', () => {});
      // Resolvers send a query in one piece.
      socket.on('data', (framed) => {
        const answer = server.#answer(framed.subarray(2));
        if (!answer) return;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      });
    });
    const datagrams = createSocket('udp4');
    datagrams.on('message', (query, { port: from, address }) => {
      const answer = server.#answer(query);
      if (answer) datagrams.send(answer.length > MAX_DATAGRAM ? truncated(answer) : answer, from, address);
    });
    await new Promise<void>((bound) => datagrams.bind(port, '127.0.0.1', bound));
    onTestFinished(() => {
      datagrams.close();
      stream.close();
    });
    return server;
  }

  #answer(query: Buffer): Buffer | undefined {
    const { name, type, end } = questionOf(query);
    const family = type === AAAA ? 'AAAA' : 'A';
    this.asked.push(`${family} ${name}`);
    const { addresses = [], isUnknown = false, silent = [] } = this.names.get(name) ?? { isUnknown: true };
    if (silent.includes(family)) return undefined;
    const records = addresses
      .filter((address) => address.includes(':') === (type === AAAA))
      .map((address) => recordOf(type, address));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(ANSWER | (isUnknown ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
  }
}

function questionOf(query: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name of the question, with a time to live of zero. */
function recordOf(type: number, address: string): Buffer {
  const data = type === A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function truncated(answer: Buffer): Buffer {
  const head = Buffer.from(answer.subarray(0, questionOf(answer).end));
  head.writeUInt16BE(ANSWER | TRUNCATED, 2);
  head.writeUInt16BE(0, 6);
  return head;
}
