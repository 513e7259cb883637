import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CLASS, OPCODE } from '../../src/doors/dns/codes.ts';
import { type Message, readMessage } from '../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../src/doors/dns/message-writer.ts';
import type { SoaRecord } from '../../src/doors/dns/zone-source.ts';
import { onTestFinished } from './this-test.ts';

let requests = 0;

/** A request that is not signed yet, each with another id. */
export function dnsRequest(type: number, since?: SoaRecord): Buffer {
  requests = (requests + 1) & 0xffff;
  const writer = new MessageWriter({ id: requests, opcode: OPCODE.QUERY, isRequest: true });
  writer.question({ name: 'ee', type, class: CLASS.IN });
  return (since ? writer.authority(since) : writer).finish();
}

export const framed = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);

export async function openTcp(
  port: number,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  socket.on('error', () => {});
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** The first message that a connection receives from now on. */
export async function firstMessage(socket: Socket): Promise<Message> {
  let pending: Buffer = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    pending = Buffer.concat([pending, chunk]);
    if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) continue;
    return readMessage(pending.subarray(2, 2 + pending.readUInt16BE(0)));
  }
}

/** The first message of the answer, over a connection of its own. */
export async function askTcp(port: number, request: Buffer): Promise<Message> {
  const socket = await openTcp(port);
  socket.write(framed(request));
  return firstMessage(socket);
}

export async function askUdp(port: number, request: Buffer): Promise<Message> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.send(request, port, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  return readMessage(answer);
}
