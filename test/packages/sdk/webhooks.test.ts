import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  EVENT_TYPES,
  isKnownEvent,
  verifyWebhook,
  WebhookError,
  type WebhookRequest,
} from '../../../packages/sdk/src/index.ts';
import { verifyWebhook as verifyByWebCrypto } from '../../../packages/sdk/src/webhooks.ts';
import { eventTypes } from '../../../src/registry/webhooks/event-types.ts';

/** The vector of the tests that Standard Webhooks publishes with its libraries. */
const PUBLISHED = {
  secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const AT = new Date(Number(PUBLISHED.timestamp) * 1_000);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY =
  '{"type":"domain.renewed","timestamp":"2030-01-15T10:00:00.000Z","data":{"domain":"näide.ee","sequence":7}}';

function sign(secret: string, { id = 'msg_1', timestamp = PUBLISHED.timestamp, body = BODY } = {}): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

const signed = (changes: Partial<WebhookRequest> = {}, signature = sign(SECRET)): WebhookRequest => ({
  secrets: SECRET,
  headers: {
    'webhook-id': 'msg_1',
    'webhook-timestamp': PUBLISHED.timestamp,
    'webhook-signature': signature,
  },
  body: BODY,
  now: AT,
  ...changes,
});

/** The type of the event, or the failure; both verifications must agree. */
async function outcomeOf(request: WebhookRequest): Promise<string> {
  const byNode = attempt(() => verifyWebhook(request).type);
  const byWebCrypto = verifyByWebCrypto(request).then(
    ({ type }) => type,
    (error: WebhookError) => error.reason,
  );
  expect(await byWebCrypto).toBe(byNode);
  return byNode;
}

function attempt(verify: () => string): string {
  try {
    return verify();
  } catch (error) {
    return (error as WebhookError).reason;
  }
}

describe('verifyWebhook', () => {
  test('success: the published signature is accepted, and its body is refused as not an event', async () => {
    const headers = {
      'webhook-id': PUBLISHED.id,
      'webhook-timestamp': PUBLISHED.timestamp,
      'webhook-signature': PUBLISHED.signature,
    };
    const request = { secrets: PUBLISHED.secret, headers, body: PUBLISHED.body, now: AT };
    expect(await outcomeOf(request)).toBe('body not an event');
    expect(await outcomeOf({ ...request, secrets: `whsec_${PUBLISHED.secret}` })).toBe('body not an event');
    expect(await outcomeOf({ ...request, body: '{"test": 2432232315}' })).toBe('no matching signature');
  });

  test('success: the event, with its id and the time of the attempt', async () => {
    const event = {
      id: 'msg_1',
      sentAt: AT,
      type: 'domain.renewed',
      data: { domain: 'näide.ee', sequence: 7 },
    };
    expect(verifyWebhook(signed())).toMatchObject(event);
    expect(verifyWebhook(signed({ body: Buffer.from(BODY) }))).toMatchObject(event);
    expect(await verifyByWebCrypto(signed({ body: new TextEncoder().encode(BODY) }))).toMatchObject(event);
  });

  test('success: the types are those of the registry, and unknown ones are received too', () => {
    expect(EVENT_TYPES).toEqual([...eventTypes.keys()]);
    const body = '{"type":"domain.sung","timestamp":"2030-01-15T10:00:00.000Z","data":{"key":"C"}}';
    const event = verifyWebhook(signed({ body }, sign(SECRET, { body })));
    expect(event).toMatchObject({ type: 'domain.sung', data: { key: 'C' } });
    expect([isKnownEvent(event), isKnownEvent(verifyWebhook(signed()))]).toEqual([false, true]);
  });

  const headers = signed().headers as Record<string, string>;
  const accepted: [string, WebhookRequest][] = [
    ['headers of fetch', signed({ headers: new Headers(headers) })],
    [
      'headers in capitals',
      signed({
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      }),
    ],
    ['the second of two signatures', signed({}, `${sign(OLD_SECRET)} ${sign(SECRET)}`)],
    ['the second of two secrets', signed({ secrets: [OLD_SECRET, SECRET] })],
    ['beside a signature of another version', signed({}, `v1a,${'A'.repeat(86)}== ${sign(SECRET)}`)],
    ['five minutes old', signed({ now: new Date(AT.getTime() + 300_000) })],
    ['five minutes ahead', signed({ now: new Date(AT.getTime() - 300_000) })],
  ];
  test.each(accepted)('success: %s', async (_what, request) => {
    expect(await outcomeOf(request)).toBe('domain.renewed');
  });

  const notAnEvent = '[]';
  const refused: [string, string, WebhookRequest][] = [
    ['no id', 'header missing', signed({ headers: { ...headers, 'webhook-id': undefined } })],
    ['no signature', 'header missing', signed({ headers: { ...headers, 'webhook-signature': '' } })],
    ['two ids', 'header missing', signed({ headers: { ...headers, 'webhook-id': ['msg_1', 'msg_2'] } })],
    ['no number', 'timestamp not a number', signed({ headers: { ...headers, 'webhook-timestamp': 'now' } })],
    ['too old', 'timestamp too old', signed({ now: new Date(AT.getTime() + 301_000) })],
    ['from the future', 'timestamp in the future', signed({ now: new Date(AT.getTime() - 301_000) })],
    [
      'a narrower tolerance',
      'timestamp too old',
      signed({ toleranceSeconds: 5, now: new Date(AT.getTime() + 6_000) }),
    ],
    ['another secret', 'no matching signature', signed({ secrets: OLD_SECRET })],
    ['another id', 'no matching signature', signed({ headers: { ...headers, 'webhook-id': 'msg_2' } })],
    [
      'another time',
      'no matching signature',
      signed({ headers: { ...headers, 'webhook-timestamp': '1614265331' } }),
    ],
    ['an altered body', 'no matching signature', signed({ body: `${BODY} ` })],
    ['a signature without its version', 'no matching signature', signed({}, sign(SECRET).slice(3))],
    ['a shortened signature', 'no matching signature', signed({}, 'v1,AAAA')],
    ['an empty signature', 'no matching signature', signed({}, 'v1,')],
    [
      'signed, but not an event',
      'body not an event',
      signed({ body: notAnEvent }, sign(SECRET, { body: notAnEvent })),
    ],
    ['signed, but not JSON', 'body not an event', signed({ body: 'x' }, sign(SECRET, { body: 'x' }))],
  ];
  test.each(refused)('failure: %s', async (_what, reason, request) => {
    expect(await outcomeOf(request)).toBe(reason);
  });

  test.each(['', 'whsec_', 'whsec_?', 'whsec_AAAAA'])(
    'failure: the secret %j, with which anybody could sign',
    async (secrets) => {
      expect(() => verifyWebhook(signed({ secrets }))).toThrow(TypeError);
      await expect(verifyByWebCrypto(signed({ secrets }))).rejects.toThrow(TypeError);
    },
  );

  test('success: a failure tells logs of JSON its message', () => {
    expect(JSON.parse(JSON.stringify(new WebhookError('timestamp too old')))).toEqual({
      name: 'WebhookError',
      message: 'webhook not accepted: timestamp too old',
      reason: 'timestamp too old',
    });
  });
});
