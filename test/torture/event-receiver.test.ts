import { afterAll, beforeAll, expect, test } from 'vitest';
import { postToTarget } from '../../src/platform/webhooks/post-to-target.ts';
import { auditReceiver } from '../../torture/audit/webhooks.ts';
import { EventReceiver } from '../../torture/event-receiver.ts';

let receiver: EventReceiver;
beforeAll(async () => {
  receiver = await EventReceiver.open();
});
afterAll(() => receiver.close());

const rules = { allowedNetworks: [], allowsLoopback: true };
const post = (id: string, timeoutMs = 30_000) =>
  postToTarget(receiver.url, '{}', { 'webhook-id': id }, { rules, timeoutMs, resolve: async () => [] });

test('success: it answers, and records accepted events', async () => {
  expect(await post('msg_1')).toMatchObject({ status: 204 });
  expect(receiver.accepted).toContain('msg_1');
});

test('failure: each misbehaviour once, and then normal answers', async () => {
  receiver.misbehave('refuse', 1);
  expect(await post('msg_2')).toMatchObject({ status: 500 });
  receiver.misbehave('reset', 1);
  await expect(post('msg_3')).rejects.toMatchObject({ fault: 'not answered' });
  receiver.misbehave('slowAnswer', 1);
  await expect(post('msg_4', 3_000)).rejects.toThrow('time is up');
  receiver.misbehave('redirect', 1);
  expect(await post('msg_5')).toMatchObject({ status: 307 });
  receiver.misbehave('hugeAnswer', 1);
  expect(await post('msg_6')).toMatchObject({ status: 200 });
  expect(await post('msg_7')).toMatchObject({ status: 204 });
  expect(receiver.met).toEqual({ refuse: 1, reset: 1, slowAnswer: 1, redirect: 1, hugeAnswer: 1 });
  expect([...receiver.accepted]).toEqual(['msg_1', 'msg_6', 'msg_7']);
  expect(auditReceiver(receiver)).toEqual([]);
});

test('failure: a sender that follows redirects, or reads endless answers, is detected', async () => {
  receiver.misbehave('redirect', 1);
  await (await fetch(receiver.url, { method: 'POST' })).text();
  receiver.misbehave('hugeAnswer', 1);
  await (await fetch(receiver.url, { method: 'POST' })).arrayBuffer();
  await expect
    .poll(() => auditReceiver(receiver).map(({ finding }) => finding))
    .toEqual(['a redirect of a receiver was followed', 'a huge answer of a receiver was read to its end']);
});
