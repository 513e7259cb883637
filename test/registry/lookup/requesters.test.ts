import { describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { newToken } from '../../../src/platform/values/token.ts';
import { addRequester } from '../../../src/registry/lookup/add-requester.ts';
import { KnownRequesters } from '../../../src/registry/lookup/known-requesters.ts';
import { listLookupRequests, listRequesters, recordLookup } from '../../../src/registry/lookup/requesters.ts';
import { revokeRequester } from '../../../src/registry/lookup/revoke-requester.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const DAY_MS = 86_400_000;
const now = new Date();
const BEFORE = new Date(now.getTime() - DAY_MS);

async function add(changes: { name?: string; expiresAt?: Date } = {}) {
  const [name, token] = [`police-${freshCode()}`, newToken()];
  const requester = {
    name,
    purpose: 'Crime',
    token,
    expiresAt: new Date(now.getTime() + DAY_MS),
    ...changes,
  };
  await carryOut(core.database.writes, addRequester, requester, operator({ now: BEFORE }));
  return { name: requester.name, token };
}

const revoke = (name: string, reason?: string) =>
  carryOut(core.database.writes, revokeRequester, { name }, operator({ now, reason: { text: reason } }));

describe('authorised requesters', () => {
  test('success: a token is valid until its end, and no other token is', async () => {
    const { name, token } = await add();
    const known = new KnownRequesters(core.database.reads);
    expect(await known.find(token, now)).toEqual({ id: expect.any(Number), name, purpose: 'Crime' });
    expect(await known.find(token, new Date(now.getTime() + DAY_MS))).toBeUndefined();
    for (const wrong of ['', newToken(), `${token}=`, token.slice(1)])
      expect(await known.find(wrong, now)).toBeUndefined();
  });

  test('success: a revoked one is refused after the next refresh, and history has the actor', async () => {
    const { name, token } = await add();
    const known = new KnownRequesters(core.database.reads);
    await known.find(token, now);
    await revoke(name, 'left');
    await known.refresh();
    expect(await known.find(token, now)).toBeUndefined();
    await expect(revoke(name)).rejects.toThrow(`There is no requester ${name} to revoke`);
    const history = await core.database.reads.rows(sql<{ operation: string; reason: string | null }>`
      select operation, reason from history where object_kind = 'look-up requester' and object_name = ${name} order by id`);
    expect(history).toEqual([
      { operation: 'create', reason: null },
      { operation: 'revoke', reason: 'left' },
    ]);
  });

  test('success: the list shows which are valid, and never a token', async () => {
    const [valid, revoked] = [await add(), await add()];
    const expired = await add({ expiresAt: now });
    await revoke(revoked.name);
    const rows = await listRequesters(core.database.reads, now);
    expect(rows.slice(0, 3).map(({ name, status }) => [name, status])).toEqual([
      [expired.name, 'expired'],
      [revoked.name, 'revoked'],
      [valid.name, 'valid'],
    ]);
    expect(JSON.stringify(rows)).not.toContain(valid.token);
  });

  test('failure: a name that was used before', async () => {
    const { name } = await add();
    await expect(add({ name })).rejects.toThrow(`There is, or was, a requester ${name}`);
  });

  test('success: each query is recorded with requester, time, address and object', async () => {
    const { name, token } = await add();
    const requester = await new KnownRequesters(core.database.reads).find(token, now);
    const record = (asked: string, address: string) =>
      recordLookup(core.database.writes, {
        requesterId: requester?.id ?? 0,
        at: now,
        address,
        kind: 'domain',
        name: asked,
        requestId: 'r-1',
      });
    await record('õun.ee', '192.0.2.1');
    await record(`\0${'a'.repeat(300)}\ud800`, '2001:db8::1');
    const [second, first] = await listLookupRequests(core.database.reads, {
      requester: name,
      since: undefined,
      limit: 9,
    });
    expect(first).toEqual({
      at: now,
      requester: name,
      address: '192.0.2.1',
      kind: 'domain',
      name: 'õun.ee',
      requestId: 'r-1',
    });
    expect(second).toMatchObject({ name: 'a'.repeat(254), address: '2001:db8::1' });
    expect(
      await listLookupRequests(core.database.reads, { requester: undefined, since: undefined, limit: 1 }),
    ).toEqual([second]);
  });
});
