import { expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { newToken, tokenHash } from '../../../src/platform/values/token.ts';
import { ee } from '../../../src/policy/ee.ts';
import { addRequester } from '../../../src/registry/lookup/add-requester.ts';
import {
  lookupRequestPurge,
  registrantMessagePurge,
} from '../../../src/registry/lookup/delete-old-lookups.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test('success: queries of requesters are kept for the days of the policy', async () => {
  const { writes } = core.database;
  const requester = { name: 'police', purpose: 'Crime', token: newToken(), expiresAt: now };
  await carryOut(writes, addRequester, requester, operator({ now: daysAgo(1) }));
  for (const at of [daysAgo(ee.lookup.requestDays + 1), daysAgo(ee.lookup.requestDays - 1)])
    await writes.run(sql`
      insert into lookup_requests (requester_id, at, address, object_kind, object_name, request_id)
      select id, ${at}, '192.0.2.1', 'domain', 'x.ee', 'r' from lookup_requesters`);
  expect(await lookupRequestPurge(ee).removeSome(writes, now)).toBe(1);
  expect(await writes.rows(sql`select at from lookup_requests`)).toEqual([
    { at: daysAgo(ee.lookup.requestDays - 1) },
  ]);
});

test('success: messages to registrants are kept for the days of the policy', async () => {
  const { writes } = core.database;
  for (const at of [daysAgo(ee.lookup.messageDays + 1), daysAgo(ee.lookup.messageDays - 1)])
    await writes.run(sql`
      insert into registrant_messages (domain_name, sender_name, sender_email, language, message, token_hash, created_at, expires_at)
      values ('x.ee', 'Mari', 'mari@example.ee', 'et', 'Tere', ${tokenHash(newToken())}, ${at}, ${at})`);
  expect(await registrantMessagePurge(ee).removeSome(writes, now)).toBe(1);
  expect(await writes.rows(sql`select created_at as at from registrant_messages`)).toEqual([
    { at: daysAgo(ee.lookup.messageDays - 1) },
  ]);
});
