import { jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Service, serviceSender } from '../../../src/billing/deliveries/service-sender.ts';
import { message, openService, type TestService } from '../../support/service.ts';

const NEW = 'the-newer-secret-of-auction';
const OLD = 'the-older-secret-of-auction';
const settings = { url: 'AUCTION_URL', secret: 'BILLING_SECRET_AUCTION' };

let service: TestService;
beforeEach(async () => {
  service = await openService();
});
const senderWith = (parts: Partial<Service> = {}) =>
  serviceSender({ url: () => `${service.url}/payment_status`, secrets: [NEW, OLD], settings, ...parts });
const tokenOf = (index = 0) => String(service.received[index]?.headers.authorization).replace(/^Bearer /, '');
const verify = (secret: string) =>
  jwtVerify(tokenOf(), new TextEncoder().encode(secret), { algorithms: ['HS256'] });
const failureOf = (sending: Promise<void>): Promise<string> =>
  sending.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('a message to a service', () => {
  test('success: sent by PUT as it is, with its id', async () => {
    const delivery = message({ body: '{"description":"Õunad, \\"€\\""}' });
    await senderWith()(delivery);
    expect(service.received).toMatchObject([
      {
        method: 'PUT',
        path: '/payment_status',
        id: delivery.id,
        body: delivery.body,
        headers: { 'content-type': 'application/json' },
      },
    ]);
  });

  test('success: signed with the newest secret, valid for five minutes of the wall clock', async () => {
    await senderWith()(message());
    const { payload, protectedHeader } = await verify(NEW);
    expect(protectedHeader).toEqual({ alg: 'HS256' });
    expect(payload).toEqual({ initiator: 'billing', iat: expect.any(Number), exp: expect.any(Number) });
    const { iat = 0, exp = 0 } = payload;
    expect(exp - iat).toBe(300);
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(5);
    await expect(verify(OLD)).rejects.toThrow('signature verification failed');
  });

  test.each([200, 201, 202, 204])('success: %i is accepted', async (status) => {
    service.answer = () => status;
    await senderWith()(message());
  });

  test('success: the address may become known later', async () => {
    let url: string | undefined;
    const send = senderWith({ url: () => url });
    expect(await failureOf(send(message()))).toBe('AUCTION_URL is not set');
    url = service.url;
    await send(message());
    expect(service.received).toHaveLength(1);
  });
});

describe('a message that does not arrive', () => {
  test.each([301, 307, 400, 401, 404, 500, 503])('failure: %i', async (status) => {
    service.answer = () => status;
    expect(await failureOf(senderWith()(message()))).toBe(`Answered ${status}`);
    expect(service.received).toHaveLength(1);
  });

  test('failure: the connection is cut', async () => {
    service.answer = () => 'cut';
    expect(await failureOf(senderWith()(message()))).toMatch(/^No answer \((UND_ERR_SOCKET|ECONNRESET)\)$/);
    expect(service.received).toHaveLength(1);
  });

  test('failure: connection refused', async () => {
    await service.close();
    expect(await failureOf(senderWith()(message()))).toBe('No answer (ECONNREFUSED)');
  });

  test('failure: timeout', async () => {
    service.answer = () => 'silence';
    expect(await failureOf(senderWith({ timeoutMs: 200 })(message()))).toBe('No answer (time is up)');
  });

  test('failure: there is no secret', async () => {
    expect(await failureOf(senderWith({ secrets: [] })(message()))).toBe('BILLING_SECRET_AUCTION is not set');
    expect(service.received).toEqual([]);
  });

  test('failure: its error names neither address nor password', async () => {
    const url = () => service.url.replace('//', '//user:password@');
    expect(await failureOf(senderWith({ url })(message()))).toBe('No answer (the request failed)');
  });
});
