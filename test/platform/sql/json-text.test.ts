import { expect, inject, onTestFinished, test } from 'vitest';
import {
  textList,
  textObject,
  textOf,
  textOfArray,
  textOrNull,
} from '../../../src/platform/sql/json-text.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';

const TEXTS = ['', 'plain', 'with "quotes" and \\', 'line\nbreak\ttab\u0001', 'Šõ 😀', '</script>', "it's"];

test('success: a text object has the bytes of JSON.stringify', async () => {
  const db = await connectAsOwner(inject('server'));
  onTestFinished(() => db.close());
  const { written } = await db.one(sql<{ written: string }>`
    select ${textList(
      textObject({
        "it's": textOf(sql`t.value`),
        nothing: textOrNull(sql`nullif(t.value, t.value)`),
        day: textOrNull(sql`date '2030-01-02'`),
        few: textOfArray(sql`array[t.value]`),
        none: textOfArray(sql`'{}'::text[]`),
        position: sql`t.position`,
      }),
      sql`t.position desc`,
      sql`filter (where t.position > 1)`,
    )} as written from unnest(${TEXTS}::text[]) with ordinality as t(value, position)`);
  const wanted = TEXTS.map((value, index) => {
    const lists = { few: [value], none: [], position: index + 1 };
    return { "it's": value, nothing: null, day: '2030-01-02', ...lists };
  });
  expect(written).toBe(JSON.stringify(wanted.slice(1).toReversed()));
});

test('success: an empty list is null', async () => {
  const db = await connectAsOwner(inject('server'));
  onTestFinished(() => db.close());
  const { written } = await db.one(sql<{ written: string | null }>`
    select ${textList(sql`n::text`, sql`n`)} as written from generate_series(1, 0) as n`);
  expect(written).toBeNull();
});
