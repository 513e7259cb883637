import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedEvents } from '../../../src/doors/registrar-api/event-schemas.ts';
import { registryAuthor } from '../../../src/registry/history/read-history.ts';
import type { NewDetails } from '../../../src/registry/poll/message-details.ts';
import {
  type MessageType,
  message,
  messageKinds,
  messageTypes,
  sendMessages,
} from '../../../src/registry/poll/send-messages.ts';
import { eventOfMessage, eventTypes } from '../../../src/registry/webhooks/event-types.ts';
import { alpha } from '../../support/client.ts';
import { ApiDocument } from '../../support/document.ts';
import { Registrant } from '../../support/domains.ts';
import { apiDocument } from '../../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const NOW = new Date('2027-01-01T00:00:00Z');
const document = new ApiDocument(apiDocument());

let registry: TestRegistry;
let domain = '';
beforeAll(async () => {
  registry = await startRegistry();
  domain = await (await Registrant.of(alpha(registry.url))).register();
  await registry.sql.run(sql`
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
    select 'whe_0000000000000001', id, 1, 'http://127.0.0.1:1/', '', ${NOW}, ${NOW} from registrars where code = 'ALPHA'`);
});
afterAll(() => registry.stop());

const TRANSFER: NewDetails = {
  kind: 'transfer',
  name: 'moved.ee',
  losing: 'ALPHA',
  gaining: 'BETA',
  expireTime: NOW.toISOString(),
};

/** The events that were written since the last call. */
async function writtenEvents(): Promise<
  { type: string; timestamp: string; data: Record<string, unknown> }[]
> {
  return registry.sql.rows(sql`
    with gone as (delete from webhook_events returning id, type, at, data)
    select type, at::text as timestamp, data from gone order by id`);
}

describe('the events of the API document', () => {
  test('success: every type is described, once', () => {
    expect(Object.keys(document.document.webhooks ?? {})).toEqual([...eventTypes.keys()]);
    expect(describedEvents().map(({ summary }) => summary)).toEqual([...eventTypes.values()]);
  });

  test('success: the event of every kind of message matches its schema, and has no undescribed member', async () => {
    const { registrarId, ...ids } = await registry.sql.one(sql<Record<string, number>>`
      select registrar_id as "registrarId", id as "Domain", registrant_id as "Contact" from domains where name = ${domain}`);
    const values = { registrarId, name: domain };
    const kinds = messageTypes.map((type) => {
      const made = message(type, { ...values, id: ids[messageKinds[type].attached ?? ''] } as never);
      return type.startsWith('transferred_') ? { ...made, details: TRANSFER } : made;
    });
    await sendMessages(registry.sql, kinds, registryAuthor(NOW));
    const events = await writtenEvents();
    expect(events.map(({ type }) => type)).toEqual(
      messageTypes.map((type: MessageType) => eventOfMessage(type)),
    );
    for (const event of events) {
      expect(document.complaintsAboutEvent(event)).toEqual([]);
      expect(membersOf(event.type)).toEqual(expect.arrayContaining(Object.keys(event.data)));
    }
  });

  test('success: so do events of users and certificates', async () => {
    await registry.sql.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, after)
      select ${NOW}, 'user', 7, 'alpha', operation, r.id, 'operator:mari', 'req-1', '{"serial": "0a1b"}'
      from registrars r, unnest(array['create', 'disable', 'revoke certificate']) operation where r.code = 'ALPHA'`);
    const events = await writtenEvents();
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.disabled', 'certificate.revoked']);
    for (const event of events) expect(document.complaintsAboutEvent(event)).toEqual([]);
    expect(events[2]?.data).toMatchObject({ by: 'registry', serial: '0a1b' });
  });

  test('failure: an event that lacks a member, or is of no known type', () => {
    const data = { sequence: 1, message_id: 2, object: 'domain', name: 'some.ee', domain: 'some.ee' };
    const timestamp = NOW.toISOString();
    expect(document.complaintsAboutEvent({ type: 'domain.expired', timestamp, data } as never)).toEqual([]);
    for (const [type, wrong] of [
      ['domain.transferred_in', data],
      ['domain.expired', { ...data, object: 'contact' }],
      ['domain.eaten', data],
    ])
      expect(document.complaintsAboutEvent({ type, timestamp, data: wrong } as never)).toHaveLength(1);
  });
});

/** The members of an event's data that are described. */
function membersOf(type: string): string[] {
  const data = describedEvents().find((event) => event.type === type)?.data as
    | { properties?: object; anyOf?: { properties: object }[] }
    | undefined;
  return (data?.anyOf ?? [{ properties: data?.properties ?? {} }]).flatMap(({ properties }) =>
    Object.keys(properties),
  );
}
