import { describe, expect, test } from 'vitest';
import { MESSAGE_JSON } from '../../../src/doors/registrar-api/notifications.ts';
import { json, sql } from '../../../src/platform/sql/statement.ts';
import {
  acknowledgeMessage,
  countUnread,
  readLatestMessage,
  readOldestMessage,
} from '../../../src/registry/poll/read-messages.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();
const START = Date.parse('2026-11-01T00:00:00Z');

/** Messages of a registrar whose queue is emptied first, a minute apart, in the order of their texts; returns their ids. */
async function queue(username: string, texts: readonly string[], details: unknown = null): Promise<number[]> {
  const context = await core.context(username);
  const { registrarId } = context.principal;
  const { writes } = core.database;
  await writes.run(
    sql`update poll_messages set read_at = ${new Date()} where registrar_id = ${registrarId} and read_at is null`,
  );
  const ids: number[] = [];
  for (const [index, text] of texts.entries()) {
    const row = await writes.one(sql<{ id: number }>`
      insert into poll_messages (registrar_id, type, text, created_at, details)
      values (${registrarId}, 'deleted', ${text}, ${new Date(START + index * 60_000)}, ${details === null ? null : json(details)}) returning id`);
    ids.push(row.id);
  }
  return ids;
}
const acknowledge = async (username: string, id: number | undefined, onlyUnread = true) =>
  core.run(acknowledgeMessage, { id, onlyUnread }, await core.context(username));
const MISSING = { refusals: [{ name: 'objectMissing', code: 2303 }] };

describe('the oldest unread message', () => {
  test('success: first in, first out, with the number of all; nothing from an empty queue', async () => {
    const ids = await queue('alpha', ['one', 'two', 'three'], { kind: 'transfer' });
    const context = await core.context('alpha');
    const { reads } = core.database;
    const seen = [];
    for (const id of ids) {
      const oldest = await readOldestMessage(reads, context);
      expect(oldest).toMatchObject({ id, type: 'deleted', details: { kind: 'transfer' } });
      expect(oldest?.count).toBe(await countUnread(reads, context));
      seen.push([oldest?.text, oldest?.count, oldest?.createdAt.getTime()]);
      expect(await acknowledge('alpha', id)).toEqual({ ids: [id] });
    }
    expect(seen).toEqual([
      ['one', 3, START],
      ['two', 2, START + 60_000],
      ['three', 1, START + 120_000],
    ]);
    expect(await readOldestMessage(reads, context)).toBeUndefined();
    expect(await countUnread(reads, context)).toBe(0);
  });

  test('success: of equal times the one written first; REST shows the newest', async () => {
    const ids = await queue('alpha', ['one', 'two']);
    const context = await core.context('alpha');
    const { registrarId } = context.principal;
    await core.database.writes.run(
      sql`update poll_messages set created_at = ${new Date(START)} where registrar_id = ${registrarId} and read_at is null`,
    );
    expect(await readOldestMessage(core.database.reads, context)).toMatchObject({
      id: ids[0],
      details: null,
    });
    expect(
      JSON.parse((await readLatestMessage(core.database.reads, MESSAGE_JSON, context)) ?? ''),
    ).toMatchObject({ id: ids[1] });
  });
});

describe('the acknowledgement of a message that must be unread', () => {
  test('failure: one that was read, one of another registrar, an unknown one, none', async () => {
    const [id = 0] = await queue('alpha', ['one']);
    await expect(acknowledge('beta', id)).rejects.toMatchObject(MISSING);
    expect(await countUnread(core.database.reads, await core.context('alpha'))).toBe(1);
    await acknowledge('alpha', id);
    await expect(acknowledge('alpha', id)).rejects.toMatchObject(MISSING);
    await expect(acknowledge('alpha', 999_999_999)).rejects.toMatchObject(MISSING);
    await expect(acknowledge('alpha', undefined)).rejects.toMatchObject(MISSING);
    expect(await acknowledge('alpha', id, false)).toEqual({ ids: [id] });
  });

  test('success: of eight at once exactly one acknowledges it', async () => {
    const [id] = await queue('alpha', ['one']);
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => acknowledge('alpha', id)));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toMatchObject(MISSING);
  });

  test('failure: of two who have both seen it unread the later is a conflict', async () => {
    const [id] = await queue('alpha', ['one']);
    const context = await core.context('alpha');
    const { writes } = core.database;
    const input = { id, onlyUnread: true };
    const plan = acknowledgeMessage.decide(
      await acknowledgeMessage.load(writes, input, context),
      input,
      context,
    );
    await acknowledgeMessage.persist(writes, plan, context);
    await expect(acknowledgeMessage.persist(writes, plan, context)).rejects.toMatchObject({ code: '40001' });
  });
});
