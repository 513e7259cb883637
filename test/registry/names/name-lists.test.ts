import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { PaymentProvider } from '../../../src/billing/provider/provider.ts';
import { readNameList } from '../../../src/doors/console/bulk/name-list.ts';
import { compatibilityCalls } from '../../../src/doors/registrar-api/compatibility/incumbent-endpoints.ts';
import { registrarEndpoints } from '../../../src/doors/registrar-api/endpoints.ts';
import type { NamedRefusal } from '../../../src/operations/named-refusal.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import { parseDomainName } from '../../../src/registry/names/name.ts';
import { NAMES_PER_TURN, parseDomainNames, storedNames } from '../../../src/registry/names/name-lists.ts';
import type { WebhookSettings } from '../../../src/registry/webhooks/known-webhooks.ts';
import { parseNames } from '../../../src/reservations/reservation.ts';
import { contextOf, NOW } from '../../support/decisions.ts';

const COUNT = 10 * NAMES_PER_TURN;
const texts = Array.from({ length: COUNT }, (_, index) => `õäöü${index}.ee`);

let checkedLabels = 0;
const labels = new RegExp(ee.labels);
labels.test = (label) => {
  checkedLabels += 1;
  return ee.labels.test(label);
};
const policy = { ...ee, labels };
parseDomainName(texts[0] ?? '', policy);
const checksOfName = checkedLabels;

/** How many names were parsed in each turn of the event loop until the work is done. */
async function namesPerTurn(work: () => unknown): Promise<number[]> {
  const counts: number[] = [];
  let isDone = false;
  checkedLabels = 0;
  const done = Promise.resolve(work()).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    counts.push(checkedLabels / checksOfName);
    checkedLabels = 0;
    await turn();
  }
  await done;
  return [...counts, checkedLabels / checksOfName];
}

const dependencies = {
  database: {} as Database,
  provider: {} as PaymentProvider,
  webhooks: {} as WebhookSettings,
  policy,
};
const ordinary = registrarEndpoints(dependencies);
const { byId } = compatibilityCalls(ordinary, dependencies);
const { principal: caller } = contextOf();

async function readCall(id: string, body: object, endpoint = ordinary.find((each) => each.id === id)) {
  const request = { body, query: {}, params: {}, headers: {} } as unknown as FastifyRequest;
  const refusals: NamedRefusal[] = [];
  await endpoint?.read(request, { caller, now: NOW }, refusals);
  expect(refusals).toEqual([]);
}
const replacement = { type: 'nameserver', domains: texts, attributes: { hostname: 'ns2.example.net' } };

describe('names of a list are parsed over several turns of the event loop', () => {
  test.each<readonly [call: string, read: () => unknown]>([
    ['bulk renewal', () => readCall('renewDomains', { domains: texts, renew_period: '1y' })],
    [
      'bulk transfer',
      () =>
        readCall('transferDomains', {
          data: { domain_transfers: texts.map((text) => ({ domain_name: text, transfer_code: 'code' })) },
        }),
    ],
    [
      'nameserver replacement',
      () => readCall('replaceNameserver', { data: { ...replacement, id: 'ns1.example.net' } }),
    ],
    [
      'nameserver addition of the compatibility profile',
      () => readCall('replaceNameserver', { data: replacement }, byId.get('replaceNameserver')),
    ],
    ['reservation', () => parseNames(texts, policy)],
    ['console, a name a line', () => readNameList(texts.join('\n'), policy, undefined)],
    ['console, a line that is no list', () => readNameList(`${texts.join(' ')} no`, policy, undefined)],
  ])('success: %s', async (_call, read) => {
    const counts = await namesPerTurn(read);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    expect(Math.max(...counts)).toBe(NAMES_PER_TURN);
  });
});

test('success: names are stored in their order, each parsed once; what is none stays as it was written', async () => {
  const written = [' ÕIGE.ee', 'xn--nide-loa.ee', 'No Name', 'a.ee', ' ÕIGE.ee', ...texts, 'a.ee'];
  checkedLabels = 0;
  const names = await storedNames(written, policy);
  expect(names).toEqual(['õige.ee', 'näide.ee', 'No Name', 'a.ee', 'õige.ee', ...texts, 'a.ee']);
  expect(checkedLabels).toBeLessThanOrEqual((COUNT + 3) * checksOfName);
  expect(await parseDomainNames(['a.ee', 'a.lv'], ee)).toEqual([parseDomainName('a.ee', ee), undefined]);
});
