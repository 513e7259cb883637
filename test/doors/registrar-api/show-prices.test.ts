import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, type Client } from '../../support/client.ts';
import { firstFailure, freshName, outcome, Registrant } from '../../support/domains.ts';
import type { EppClient } from '../../support/epp.ts';
import { fee } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

type Price = {
  readonly zone: string;
  readonly operation: string;
  readonly period: number;
  readonly period_unit: string;
  readonly price: string;
};

let registry: TestRegistry;
let client: Client;
let epp: EppClient;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  client = alpha(registry.url);
  epp = await logInToEpp(await eppAddressOf(registry.url), 'alpha');
});
afterAll(async () => {
  await epp.close();
  await registry.stop();
});

const check = async (...domains: string[]) => client.post('/domains/check', { domains });
const listed = async (of: Client): Promise<Price[]> => (await of.get('/prices')).body.data.prices;

describe('GET /prices', () => {
  test('success: every zone, operation and period, for billing users too', async () => {
    const prices = await listed(alphaBilling(registry.url));
    expect(prices).toHaveLength(5 * 2 * 13);
    expect(prices).toContainEqual({
      zone: 'com.ee',
      operation: 'renew',
      period: 3,
      period_unit: 'm',
      price: '3.00',
      currency: 'EUR',
      valid_from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      valid_until: null,
    });
    expect(await listed(client)).toEqual(prices);
  });
});

describe('POST /domains/check', () => {
  test('success: each name in its order, as it is checked by itself, with the prices of its zone', async () => {
    const taken = await (await Registrant.of(client)).register();
    const names = [
      freshName(),
      taken,
      'reserved.ee',
      'blocked.ee',
      'com.ee',
      'a b.ee',
      freshName('com.ee'),
      taken,
    ];
    const { status, body } = await check(...names);
    expect(status).toBe(200);
    const answers: { name: string; prices: Price[] }[] = body.data.domains;
    const prices = await listed(client);
    for (const [index, { prices: own, ...shown }] of answers.entries()) {
      const name = encodeURIComponent(names[index] ?? '');
      expect(shown).toEqual((await client.get(`/domains/check/${name}`)).body.data.domain);
      const zone = ['a b.ee'].includes(shown.name)
        ? undefined
        : shown.name.slice(shown.name.indexOf('.') + 1);
      expect([shown.name, own]).toEqual([
        shown.name,
        prices
          .filter((each) => each.zone === zone)
          .map(({ operation, period, period_unit, price }) => ({
            operation,
            period,
            period_unit,
            price,
            currency: 'EUR',
          })),
      ]);
    }
    expect(answers).toHaveLength(names.length);
  });

  test('success: the prices are those of the fee extension of EPP', async () => {
    const name = freshName('pri.ee');
    const prices: Price[] = (await check(name)).body.data.domains[0].prices;
    expect(prices).toHaveLength(26);
    const asked = prices.map(({ operation, period, period_unit: unit }) => ({
      name: operation,
      period: `${period}${unit}`,
    }));
    const quoted: (string | undefined)[] = [];
    for (const commands of [asked.slice(0, 13), asked.slice(13)]) {
      const answer = await epp.command(objectCommands('ee').domain.check(name), fee.check(commands));
      quoted.push(...answer.texts('cd/command/fee'));
    }
    expect(quoted).toEqual(prices.map(({ price }) => price));
  });

  test('success: 100 names at once; neither a key nor a dry run belongs to it', async () => {
    const names = Array.from({ length: 100 }, () => freshName());
    const headers = { 'idempotency-key': 'asked-once', 'dry-run': 'true' };
    const ask = () => client.post('/domains/check', { domains: names }, { headers });
    const [first, again] = [await ask(), await ask()];
    expect(first.body.data.domains).toHaveLength(100);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
  });

  test('failure: no name, too many, none at all, and what is no name', async () => {
    expect(firstFailure(await check())).toEqual([400, 2003, 'domains']);
    expect(firstFailure(await check(...Array.from({ length: 101 }, () => freshName())))).toEqual([
      400,
      2004,
      'domains',
    ]);
    expect(firstFailure(await client.post('/domains/check', {}))).toEqual([400, 2003, 'domains']);
    expect(firstFailure(await client.post('/domains/check', { domains: [''] }))).toEqual([
      400,
      2003,
      'domains.0',
    ]);
  });

  test('failure: billing users check no names', async () => {
    const reply = await alphaBilling(registry.url).post('/domains/check', { domains: [freshName()] });
    expect(outcome(reply)).toEqual([403, 2201]);
  });
});
