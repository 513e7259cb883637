import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { OPCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { type Message, readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { Notifier, type NotifierOptions, type NotifyEvent } from '../../../src/doors/dns/notify.ts';
import { readZoneRecord } from '../../../src/doors/dns/record-data.ts';
import { TsigSigner, verifyTsig } from '../../../src/doors/dns/tsig.ts';
import { tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import { KEY } from '../../support/dns-server.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { MemoryZone } from '../../support/memory-zone.ts';

/** No other timer has this delay. */
const RETRY_MS = 1_234_567;

type Reply = (request: Message, mac: Buffer) => Buffer | undefined;

/** A secondary on loopback, and a notifier that notifies it of serials. */
async function secondary(reply: Reply, options: Partial<NotifierOptions> = {}) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  const serials: number[] = [];
  const progress = new EventEmitter();
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(progress, 'step');
  };
  socket.on('message', (bytes, from) => {
    const request = readMessage(bytes);
    const tsig = tsigOf(request);
    if (!tsig || verifyTsig(request, tsig, KEY, Date.now()) !== 'valid') return;
    expect(request).toMatchObject({ opcode: OPCODE.NOTIFY, questions: [{ name: 'ee', type: TYPE.SOA }] });
    const soa = request.answers[0] && readZoneRecord(request, request.answers[0]);
    serials.push(soa?.type === 'SOA' ? soa.data.serial : -1);
    progress.emit('step');
    const answer = reply(request, tsig.mac);
    if (answer) socket.send(answer, from.port, from.address);
  });
  const events: NotifyEvent[] = [];
  // Retries are triggered by the test, never by a slow answer.
  const { runOut: tryAgain } = holdTimers(RETRY_MS);
  const notifier = new Notifier({
    notified: (event) => {
      events.push(event);
      progress.emit('step');
    },
    firstRetryMs: RETRY_MS,
    maxRetryMs: RETRY_MS,
    ...options,
  });
  onTestFinished(() => {
    notifier.close();
    socket.close();
  });
  const zone = new MemoryZone('ee', 100);
  const target = { secondary: 'signer', address: '127.0.0.1', port, key: KEY };
  const publish = () => notifier.publish(zone.change({}).soaAfter, [target]);
  return { serials, events, until, tryAgain, notifier, publish, target };
}

const answerTo = ({ id, questions }: Message, rcode = 0): Buffer => {
  const writer = new MessageWriter({ id, opcode: OPCODE.NOTIFY, rcode });
  for (const question of questions) writer.question(question);
  return writer.finish();
};
const signedReply: Reply = (request, mac) => new TsigSigner(KEY, mac).sign(answerTo(request));
const results = (events: readonly NotifyEvent[]) => events.map(({ result }) => result);

test('success: a signed answer ends the notification', async () => {
  const { serials, events, until, notifier, publish } = await secondary(signedReply);
  publish();
  await until(() => events.length > 0);
  expect(events).toEqual([{ secondary: 'signer', zone: 'ee', serial: 101, result: 'answered' }]);
  expect([serials, notifier.pending]).toEqual([[101], 0]);
});

test('success: it is repeated until answered', async () => {
  let lost = 3;
  const later = await secondary((request, mac) => {
    lost -= 1;
    return lost < 0 ? signedReply(request, mac) : undefined;
  });
  later.publish();
  for (const attempt of [1, 2, 3]) {
    await later.until(() => later.serials.length === attempt);
    later.tryAgain();
  }
  await later.until(() => later.events.length > 0);
  expect(results(later.events)).toEqual(['answered']);
  expect(later.serials).toEqual([101, 101, 101, 101]);
});

test('failure: it gives up after its attempts', async () => {
  const never = await secondary(() => undefined, { attempts: 4 });
  never.publish();
  for (const attempt of [1, 2, 3, 4]) {
    await never.until(() => never.serials.length === attempt);
    expect(results(never.events)).toEqual([]);
    never.tryAgain();
  }
  expect(results(never.events)).toEqual(['gave-up']);
});

test('failure: an answer that is unsigned, or signed for another request, or an error, does not end it', async () => {
  const replies: Reply[] = [
    (request) => answerTo(request),
    (request) => new TsigSigner(KEY, Buffer.alloc(32)).sign(answerTo(request)),
    (request, mac) => new TsigSigner({ ...KEY, secret: Buffer.alloc(32) }, mac).sign(answerTo(request)),
    (request, mac) => new TsigSigner(KEY, mac).sign(answerTo(request, 5)),
    signedReply,
  ];
  const { events, until, tryAgain, publish } = await secondary((request, mac) =>
    replies.shift()?.(request, mac),
  );
  publish();
  for (const refused of [1, 2, 3, 4]) {
    await until(() => events.length === refused);
    tryAgain();
  }
  await until(() => events.length === 5);
  expect(results(events).at(-1)).toBe('answered');
  const unsigned = 'not signed as it must be';
  expect(events.map(({ detail }) => detail)).toEqual([unsigned, unsigned, unsigned, 'REFUSED', undefined]);
});

test('success: a secondary that knows the serial is not notified again; one with an older serial is', async () => {
  const { events, notifier, publish } = await secondary(() => undefined);
  publish();
  publish();
  notifier.acknowledge('signer', 'ee', 101);
  notifier.acknowledge('other', 'ee', 102);
  expect(notifier.pending).toBe(1);
  notifier.acknowledge('signer', 'ee', 102);
  expect(events).toEqual([{ secondary: 'signer', zone: 'ee', serial: 102, result: 'asked' }]);
});

test('success: only secondaries that are still configured are notified again, with their current key', async () => {
  const { serials, events, until, tryAgain, notifier, publish, target } = await secondary(signedReply);
  const revoked = { ...target, key: { ...KEY, secret: Buffer.alloc(32) } };
  notifier.publish(new MemoryZone('ee', 7).change({}).soaAfter, [revoked]);
  notifier.retain([target]);
  tryAgain();
  await until(() => events.length > 0);
  expect([results(events), serials]).toEqual([['answered'], [8]]);
  publish();
  notifier.retain([{ ...target, address: '127.0.0.2' }]);
  expect(notifier.pending).toBe(0);
  publish();
  notifier.retain([]);
  expect(notifier.pending).toBe(0);
});

test('success: a newer serial replaces an older one', async () => {
  let isUnresponsive = true;
  const { serials, events, until, publish } = await secondary((request, mac) =>
    isUnresponsive ? undefined : signedReply(request, mac),
  );
  publish();
  await until(() => serials.length > 0);
  isUnresponsive = false;
  publish();
  await until(() => events.length > 0);
  expect(events).toMatchObject([{ serial: 102, result: 'answered' }]);
  expect(serials.at(-1)).toBe(102);
});
