import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameReader } from '../../src/doors/epp/wire/frame-reader.ts';

/** A header of the PROXY protocol, version 2, with its variable part in hexadecimal. */
export function proxyHeader(command: number, family: number, variable: string): Buffer {
  const rest = Buffer.from(variable, 'hex');
  const fixed = Buffer.from('0d0a0d0a000d0a515549540a00000000', 'hex');
  fixed[12] = command;
  fixed[13] = family;
  fixed.writeUInt16BE(rest.length, 14);
  return Buffer.concat([fixed, rest]);
}

/** A client that knows frames and nothing of EPP, for peers that behave as no client does. */
export class EppPeerClient {
  readonly socket: TLSSocket;
  readonly #reader = new FrameReader();
  #isClosed = false;
  #wake: (() => void) | undefined;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#isClosed = true;
    });
    for (const event of ['readable', 'end', 'close']) socket.on(event, () => this.#wake?.());
  }

  static async connect(port: number, options: ConnectionOptions = {}): Promise<EppPeerClient> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    const client = new EppPeerClient(socket);
    await once(socket, 'secureConnect');
    return client;
  }

  /** By way of a proxy: the header leaves first, in these pieces. */
  static async throughProxy(port: number, pieces: readonly Buffer[]): Promise<EppPeerClient> {
    const raw = await rawPeer(port);
    for (const piece of pieces) await new Promise((resolve) => raw.write(piece, resolve));
    return EppPeerClient.connect(port, { socket: raw });
  }

  send(document: string): void {
    this.socket.write(encodeFrame(document));
  }

  /** The next frame; undefined if the connection closed instead. */
  async receive(): Promise<string | undefined> {
    for (;;) {
      const frame = this.#reader.next(0xffffffff);
      if (frame) return frame.toString();
      const chunk: Buffer | null = this.socket.read();
      if (chunk) this.#reader.push(chunk);
      else if (this.#isClosed || this.socket.readableEnded) return undefined;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  async exchange(document: string): Promise<string | undefined> {
    this.send(document);
    return this.receive();
  }

  async closed(): Promise<void> {
    this.stopReading();
    this.socket.resume();
    if (!this.#isClosed) await once(this.socket, 'close');
  }

  stopReading(): void {
    this.socket.removeAllListeners('readable');
    this.socket.pause();
  }

  close(): void {
    this.socket.destroy();
  }
}

export async function rawPeer(port: number): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}
