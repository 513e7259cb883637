import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { CLASS, OPCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { Notifier, type NotifyEvent } from '../../../src/doors/dns/notify.ts';
import { transferZone } from '../../../src/doors/dns/transfer-client.ts';
import { TsigSigner } from '../../../src/doors/dns/tsig.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { hasIpv6Loopback } from '../../support/free-port.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';
import { listenForNotify } from '../../support/notify-listener.ts';
import { onTestFinished } from '../../support/this-test.ts';

const none = hasIpv6Loopback() ? '' : ' (this machine has no IPv6 on loopback)';

/** The rcode and the number of answers of a signed request for the SOA over UDP. */
async function askSoa(host: string, port: number): Promise<readonly [number, number]> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  onTestFinished(() => void socket.close());
  const writer = new MessageWriter({ id: 7, opcode: OPCODE.QUERY, isRequest: true });
  writer.question({ name: 'ee', type: TYPE.SOA, class: CLASS.IN });
  socket.send(new TsigSigner(KEY).sign(writer.finish()), port, host);
  const [bytes] = (await once(socket, 'message', { signal: AbortSignal.timeout(20_000) })) as [Buffer];
  const { rcode, answers } = readMessage(bytes);
  return [rcode, answers.length];
}

async function transferFrom(host: string, port: number): Promise<number> {
  let count = 0;
  for await (const batch of transferZone({ host, port, zone: 'ee', key: KEY })) count += batch.length;
  return count;
}

test.skipIf(none !== '')(
  `success: zones are served on ::1, on all addresses of both families, and on the addresses of a host name${none}`,
  async () => {
    const zone = new MemoryZone('ee', 7, delegation('one.ee', 1));
    for (const [host, clients] of [
      ['::1', ['::1']],
      ['::', ['::1', '127.0.0.1']],
      ['localhost', ['localhost']],
    ] as const) {
      const server = await startMemoryServer(zone, { host });
      for (const client of clients) {
        expect(await transferFrom(client, server.port)).toBe(zone.records.length);
        // The family to which the name resolved for TCP, which is bound first.
        const { address } = server.requests.at(-1) ?? {};
        expect(await askSoa(client === 'localhost' ? String(address) : client, server.port)).toEqual([0, 1]);
        expect(new Set(server.requests.map((event) => event.transport))).toEqual(new Set(['tcp', 'udp']));
      }
      // An IPv4 client of a socket for both families is known by its own address.
      expect(server.requests.map((event) => event.address).filter((each) => each.includes('ffff'))).toEqual(
        [],
      );
    }
  },
);

test.skipIf(none !== '')(
  `success: a secondary on ::1 is notified of a serial, and its signed answer is accepted${none}`,
  async () => {
    const { port, answerWith } = await listenForNotify('::1');
    answerWith(KEY);
    const events: NotifyEvent[] = [];
    const notifier = new Notifier({ notified: (event) => events.push(event) });
    onTestFinished(() => notifier.close());
    // An address as an operator may have written it.
    const target = { secondary: 'signer', address: '0:0:0:0:0:0:0:1', port, key: KEY };
    notifier.publish(new MemoryZone('ee', 7).change({}).soaAfter, [target]);
    await vi.waitFor(() => expect(events.map(({ result }) => result)).toEqual(['answered']));
    expect(notifier.pending).toBe(0);
  },
);
