import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OPCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { type Message, readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { Notifier, type NotifierOptions, type NotifyEvent } from '../../../src/doors/dns/notify.ts';
import { readZoneRecord } from '../../../src/doors/dns/record-data.ts';
import { TsigSigner, verifyTsig } from '../../../src/doors/dns/tsig.ts';
import { tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import { KEY } from '../../support/dns-server.ts';
import { MemoryZone } from '../../support/memory-zone.ts';

type Reply = (request: Message, mac: Buffer) => Buffer | undefined;

/** A secondary on loopback, and a notifier that tells it of serials. */
async function secondary(reply: Reply, options: Partial<NotifierOptions> = {}) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  const serials: number[] = [];
  socket.on('message', (bytes, from) => {
    const request = readMessage(bytes);
    const tsig = tsigOf(request);
    if (!tsig || verifyTsig(request, tsig, KEY, Date.now()) !== 'valid') return;
    expect(request).toMatchObject({ opcode: OPCODE.NOTIFY, questions: [{ name: 'ee', type: TYPE.SOA }] });
    const soa = request.answers[0] && readZoneRecord(request, request.answers[0]);
    serials.push(soa?.type === 'SOA' ? soa.data.serial : -1);
    const answer = reply(request, tsig.mac);
    if (answer) socket.send(answer, from.port, from.address);
  });
  const events: NotifyEvent[] = [];
  const notifier = new Notifier({
    notified: (event) => events.push(event),
    firstRetryMs: 20,
    maxRetryMs: 40,
    ...options,
  });
  onTestFinished(() => {
    notifier.close();
    socket.close();
  });
  const zone = new MemoryZone('ee', 100);
  const target = { secondary: 'signer', address: '127.0.0.1', port, key: KEY };
  const publish = () => notifier.publish(zone.change({}).soaAfter, [target]);
  return { serials, events, notifier, publish };
}

const answerTo = ({ id, questions }: Message, rcode = 0): Buffer => {
  const writer = new MessageWriter({ id, opcode: OPCODE.NOTIFY, rcode });
  for (const question of questions) writer.question(question);
  return writer.finish();
};
const signedReply: Reply = (request, mac) => new TsigSigner(KEY, mac).sign(answerTo(request));
const results = (events: readonly NotifyEvent[]) => events.map(({ result }) => result);

test('success: a signed answer ends the notification', async () => {
  const { serials, events, notifier, publish } = await secondary(signedReply);
  publish();
  await vi.waitFor(() =>
    expect(events).toEqual([{ secondary: 'signer', zone: 'ee', serial: 101, result: 'answered' }]),
  );
  expect([serials, notifier.pending]).toEqual([[101], 0]);
});

test('success: it is repeated until answered, and gives up after its attempts', async () => {
  let lost = 3;
  const later = await secondary((request, mac) => {
    lost -= 1;
    return lost < 0 ? signedReply(request, mac) : undefined;
  });
  later.publish();
  await vi.waitFor(() => expect(results(later.events)).toEqual(['answered']));
  expect(later.serials).toEqual([101, 101, 101, 101]);
  const never = await secondary(() => undefined, { attempts: 4 });
  never.publish();
  await vi.waitFor(() => expect(results(never.events)).toEqual(['gave-up']));
  expect(never.serials).toHaveLength(4);
});

test('failure: an answer that is unsigned, or signed for another request, or an error, does not end it', async () => {
  const replies: Reply[] = [
    (request) => answerTo(request),
    (request) => new TsigSigner(KEY, Buffer.alloc(32)).sign(answerTo(request)),
    (request, mac) => new TsigSigner({ ...KEY, secret: Buffer.alloc(32) }, mac).sign(answerTo(request)),
    (request, mac) => new TsigSigner(KEY, mac).sign(answerTo(request, 5)),
    signedReply,
  ];
  const { events, publish } = await secondary((request, mac) => replies.shift()?.(request, mac));
  publish();
  await vi.waitFor(() => expect(results(events).at(-1)).toBe('answered'));
  const unsigned = 'not signed as it must be';
  expect(events.map(({ detail }) => detail)).toEqual([unsigned, unsigned, unsigned, 'REFUSED', undefined]);
});

test('success: a secondary that was told the serial is not asked again; one that was told an older one is', async () => {
  const { events, notifier, publish } = await secondary(() => undefined, { firstRetryMs: 5_000 });
  publish();
  publish();
  notifier.told('signer', 'ee', 101);
  notifier.told('other', 'ee', 102);
  expect(notifier.pending).toBe(1);
  notifier.told('signer', 'ee', 102);
  expect(events).toEqual([{ secondary: 'signer', zone: 'ee', serial: 102, result: 'asked' }]);
});

test('success: a newer serial takes the place of an older one', async () => {
  let isDeaf = true;
  const { serials, events, publish } = await secondary((request, mac) =>
    isDeaf ? undefined : signedReply(request, mac),
  );
  publish();
  await vi.waitFor(() => expect(serials.length).toBeGreaterThan(0));
  isDeaf = false;
  publish();
  await vi.waitFor(() => expect(events).toMatchObject([{ serial: 102, result: 'answered' }]));
  expect(serials.at(-1)).toBe(102);
});
