import { expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { correctContact } from '../../../src/registry/contacts/correct-contact.ts';
import { deleteDomain } from '../../../src/registry/domains/delete-domain.ts';
import { orderForceDelete } from '../../../src/registry/domains/order-force-delete.ts';
import { readRegistered } from '../../../src/registry/domains/readings/read-domain.ts';
import { setServerStatus } from '../../../src/registry/domains/set-server-status.ts';
import { runLifecycle } from '../../../src/registry/lifecycle/run-lifecycle.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { transferDomain } from '../../../src/registry/transfers/transfer-domain.ts';
import { readLastTransfer } from '../../../src/registry/transfers/transfer-records.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
const detailsAbout = (name: string) =>
  core.database.reads.rows(sql<{ type: string; details: unknown }>`
    select type, details from poll_messages where text like ${`%${name}%`} order by id`);
const HOUR_MS = 3_600_000;
const askForDeletion = (name: string, context: Context) =>
  core.run(deleteDomain, { name, verified: false, transferCode: undefined }, context);
const mari = (now: Date) =>
  operator({ actor: 'operator:mari', now, reason: { text: 'for the file', forRegistrar: 'a court order' } });

test('success: a transfer is recorded, and both registrars are notified of the losing and the gaining one', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const name = await core.domain(alpha);
  const transferCode = (await readRegistered(core.database.reads, name, alpha))?.transferCode ?? '';
  await transferDomain(core.database, { name, transferCode }, beta);
  const transfer = await readLastTransfer(core.database, { name, code: undefined }, beta);
  expect(transfer).toMatchObject({ name, losing: 'ALPHA', gaining: 'BETA', transferredAt: beta.now });
  const { losing, gaining, expireTime } = transfer;
  const details = {
    kind: 'transfer',
    name,
    losing,
    gaining,
    expireTime: expireTime.toISOString(),
    at: beta.now.toISOString(),
  };
  expect(await detailsAbout(name)).toEqual([
    { type: 'transferred_away', details },
    { type: 'transferred_in', details },
  ]);
});

test('success: the outcome of a pending action, with the ids of the request', async () => {
  const context = await core.context('alpha', { requestId: 'asked', clientTransactionId: 'ABC-1' });
  const [lapsing, withdrawn] = [await core.domain(context), await core.domain(context)];
  for (const name of [lapsing, withdrawn]) await askForDeletion(name, context);
  const ids = { requestId: 'asked', clientTransactionId: 'ABC-1' };
  const pending = { kind: 'pending action', succeeded: false, ...ids };

  const now = new Date();
  const order = { name: withdrawn, kind: 'soft', reason: 'no address' } as const;
  await carryOut(core.database.writes, orderForceDelete, order, mari(now));
  const at = now.toISOString();
  expect(await detailsAbout(withdrawn)).toEqual([
    {
      type: 'force_delete_set',
      details: {
        kind: 'change',
        object: 'domain',
        name: withdrawn,
        operation: 'update',
        at,
        who: 'operator:mari',
        reason: 'a court order',
        requestId: null,
      },
    },
    { type: 'request_withdrawn', details: { ...pending, name: withdrawn, at } },
  ]);

  const late = new Date(now.getTime() + 49 * HOUR_MS);
  await runLifecycle(core.database, late, context.policy, false);
  expect(await detailsAbout(lapsing)).toEqual([
    { type: 'deletion_lapsed', details: { ...pending, name: lapsing, at: late.toISOString() } },
  ]);
});

test('success: a request from before its ids were kept has a message without details', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  await askForDeletion(name, context);
  await core.database.writes.run(
    sql`update registrant_requests set request_id = null where closed_at is null`,
  );
  await runLifecycle(core.database, new Date(Date.now() + 49 * HOUR_MS), context.policy, false);
  expect(await detailsAbout(name)).toEqual([{ type: 'deletion_lapsed', details: null }]);
});

test('success: changes by the registry, of domains and of contacts', async () => {
  const context = await core.context('alpha');
  const [name, code] = [await core.domain(context), await core.contact(context)];
  const { writes } = core.database;
  const now = new Date();
  const by = { at: now.toISOString(), who: 'operator:mari', reason: 'a court order', requestId: null };
  const held = { name, status: 'serverHold', note: '' } as const;
  await carryOut(writes, setServerStatus, held, mari(now));
  const changes = { disclosedAttributes: ['email'] as const };
  const correction = { code, changes, isByRegistrant: true };
  await carryOut(writes, correctContact, correction, mari(now));
  expect(await detailsAbout(name)).toEqual([
    { type: 'status_set', details: { kind: 'change', object: 'domain', name, operation: 'update', ...by } },
  ]);
  expect(await detailsAbout(code)).toEqual([
    {
      type: 'contact_updated',
      details: { kind: 'change', object: 'contact', name: code, operation: 'update', ...by },
    },
  ]);
});

test('success: the lifecycle of a domain', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context, { months: 3 });
  const start = Date.now();
  for (const days of [100, 120, 150, 152])
    await runLifecycle(core.database, new Date(start + days * 24 * HOUR_MS), context.policy, false);
  const messages = await detailsAbout(name);
  expect(messages.map(({ type }) => type)).toEqual(['expired', 'outzoned', 'delete_candidate', 'deleted']);
  const operations = [
    { operation: 'custom', op: 'expire' },
    { operation: 'update' },
    { operation: 'autoDelete' },
    { operation: 'autoPurge' },
  ];
  const by = { kind: 'change', object: 'domain', name, who: 'registry', reason: null, requestId: null };
  expect(messages.map(({ details }) => details)).toEqual(
    operations.map((operation) => ({ ...by, ...operation, at: expect.any(String) })),
  );
});

test('failure: the last transfer is shown to the sponsor, the losing registrar and those who have the code', async () => {
  const [alpha, beta, other] = [
    await core.context('alpha'),
    await core.context('beta'),
    await core.context('poor'),
  ];
  const name = await core.domain(alpha);
  const lastTransfer = (context: Context, code?: string) =>
    readLastTransfer(core.database, { name, code }, context);
  await expect(lastTransfer(alpha)).rejects.toThrow('The domain has never been transferred');
  const transferCode = (await readRegistered(core.database.reads, name, alpha))?.transferCode ?? '';
  await transferDomain(core.database, { name, transferCode }, beta);
  const newCode = (await readRegistered(core.database.reads, name, beta))?.transferCode ?? '';
  expect(await lastTransfer(alpha)).toEqual(await lastTransfer(beta));
  expect(await lastTransfer(other, newCode)).toEqual(await lastTransfer(beta));
  await expect(lastTransfer(other)).rejects.toThrow('transferCode is missing');
  for (let guess = 0; guess < alpha.policy.domains.wrongCodesPerHour; guess++)
    await expect(lastTransfer(other, 'wrong')).rejects.toThrow('wrong transferCode');
  await expect(lastTransfer(other, newCode)).rejects.toThrow('Too many wrong codes');
  await expect(
    readLastTransfer(core.database, { name: 'nothing-here.ee', code: undefined }, alpha),
  ).rejects.toThrow('Object does not exist');
});
