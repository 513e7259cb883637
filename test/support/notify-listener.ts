import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { OPCODE } from '../../src/doors/dns/codes.ts';
import { readMessage } from '../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../src/doors/dns/message-writer.ts';
import { readZoneRecord } from '../../src/doors/dns/record-data.ts';
import { type TsigKey, TsigSigner } from '../../src/doors/dns/tsig.ts';
import { tsigOf } from '../../src/doors/dns/tsig-record.ts';
import { onTestFinished } from './this-test.ts';

export type Notification = { readonly zone: string; readonly serial: number; readonly at: number };
export type NotifyListener = {
  readonly port: number;
  readonly notified: Notification[];
  /** From now on it answers, signed with this key. */
  answerWith(key: TsigKey): void;
};

/** A secondary that collects notifications and transfers nothing; ended with the test. Unanswered ones are repeated. */
export async function listenForNotify(host = '127.0.0.1'): Promise<NotifyListener> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').bind(0, host);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const notified: Notification[] = [];
  let key: TsigKey | undefined;
  socket.on('message', (bytes, from) => {
    const at = performance.now();
    const message = readMessage(bytes);
    const [[question], [answer]] = [message.questions, message.answers];
    const soa = answer && readZoneRecord(message, answer);
    if (soa?.type === 'SOA') notified.push({ zone: soa.name, serial: soa.data.serial, at });
    if (!key || !question) return;
    const writer = new MessageWriter({ id: message.id, opcode: OPCODE.NOTIFY }).question(question);
    const signer = new TsigSigner(key, tsigOf(message)?.mac);
    socket.send(signer.sign(writer.finish()), from.port, from.address);
  });
  return {
    port: (socket.address() as AddressInfo).port,
    notified,
    answerWith: (with_) => {
      key = with_;
    },
  };
}
