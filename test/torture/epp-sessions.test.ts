import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { auditLeftSessions, auditSessions } from '../../torture/audit/epp.ts';
import type { Life } from '../../torture/node.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { lookAfterDamage } from './damage.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

describe('sessions of EPP', () => {
  const DIED_AT = Date.now();
  const life = (endedAt: number | undefined): Life => ({
    node: 'one',
    pid: 7,
    endedBy: 'us',
    endedAt,
    said: '',
  });
  const sessionUntil = (milliseconds: number) => `
    insert into epp_sessions (id, registrar_id, user_id, address, server, logged_in_at, lease_until, last_command_at)
    select gen_random_uuid(), registrar_id, id, '127.0.0.1', 'host:7', now(), to_timestamp(${milliseconds} / 1000.0), now()
    from api_users where username = 'alpha'`;
  const found = (look: (db: Sql) => Promise<{ finding: string }[]>, until = DIED_AT + 20_000) =>
    lookAfterDamage(registry.sql, sessionUntil(until), async (db) =>
      (await look(db)).map(({ finding }) => finding),
    );

  test('success: of a running process, or one that died less than a lease ago', async () => {
    expect(await found((db) => auditSessions(db, [life(undefined)]))).toEqual([]);
    expect(await found((db) => auditSessions(db, [life(DIED_AT)]))).toEqual([]);
    expect(await found((db) => auditLeftSessions(db, [life(DIED_AT)], 0))).toEqual([]);
  });

  test('failure: a lease that outlives its process, or has none', async () => {
    const finding = 'a lease outlives the process of its session';
    expect(await found((db) => auditSessions(db, [life(DIED_AT)]), DIED_AT + 40_000)).toEqual([finding]);
    expect(await found((db) => auditSessions(db, [{ ...life(undefined), pid: 8 }]))).toEqual([finding]);
  });

  test('failure: a session whose client has left', async () => {
    expect(await found((db) => auditLeftSessions(db, [life(undefined)], 0), Date.now() + 600_000)).toEqual([
      'a session is held for a client that has left',
    ]);
  });
});
