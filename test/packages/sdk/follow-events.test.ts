import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FollowedEvent, followEvents, type Registry } from '../../../packages/sdk/src/index.ts';
import { freshCode } from '../../support/contacts.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { clientOf } from './clients.ts';

let registry: TestRegistry;
let client: Registry;
beforeAll(async () => {
  registry = await startRegistry();
  client = clientOf(registry.url);
});
afterAll(() => registry.stop());

const person = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;
const create = async () => (await client.contacts.create({ ...person, id: freshCode() })).data.contact.code;
const contactOf = (event: FollowedEvent) =>
  event.type === 'contact.created' ? event.data.contact : undefined;

test('success: what is there, then what happens, each event once, until it is aborted', async () => {
  const first = await create();
  const controller = new AbortController();
  const seen: (string | undefined)[] = [];
  const positions: string[] = [];
  const following = (async () => {
    for await (const event of followEvents(client, {
      intervalMs: 5,
      signal: controller.signal,
      onPosition: (position) => positions.push(position),
    }))
      seen.push(contactOf(event));
  })();
  await expect.poll(() => seen).toContain(first);
  const second = await create();
  await expect.poll(() => seen).toContain(second);
  controller.abort();
  await following;
  expect(seen.slice(-2)).toEqual([first, second]);
  const after = positions.at(-1);
  const third = await create();
  const later: FollowedEvent[] = [];
  await expect
    .poll(async () => {
      for await (const event of followEvents(client, { after, onlyPresent: true })) later.push(event);
      return later.map(contactOf);
    })
    .toContain(third);
  expect(later[0] && contactOf(later[0])).toBe(third);
});

test('success: it goes on after the position of an event, and ends while it waits', async () => {
  await create();
  const controller = new AbortController();
  const events = followEvents(client, { signal: controller.signal, intervalMs: 60_000 });
  const { value: first } = await events.next();
  const { value: second } = await events.next();
  const { value: again } = await followEvents(client, { after: first?.position }).next();
  expect(again).toEqual(second);
  const end = (async () => {
    for await (const _event of events);
  })();
  controller.abort();
  await end;
});

test('failure: a position that the registry refuses', async () => {
  await expect(followEvents(client, { after: 'x' }).next()).rejects.toMatchObject({
    reason: 'positionUnknown',
  });
});
