import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  beginningText,
  containing,
  exactly,
  indexedRange,
  matches,
  parsePattern,
  quotedText,
} from '../../../src/platform/paging/text-pattern.ts';
import { filterPattern } from '../../../src/doors/console/filter-text.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { inject } from 'vitest';

describe('what a filter finds', () => {
  test.each([
    ['aed', { like: '%aed%', beginning: '', value: undefined }],
    ['AED Õun', { like: '%aed õun%', beginning: '', value: undefined }],
    ['"Aed"', { like: 'aed', beginning: 'aed', value: 'aed' }],
    ['"a*d"', { like: 'a*d', beginning: 'a*d', value: 'a*d' }],
    ['"50%_\\"', { like: '50\\%\\_\\\\', beginning: '50%_\\', value: '50%_\\' }],
    ['aed*', { like: 'aed%', beginning: 'aed', value: undefined }],
    ['*.ee', { like: '%.ee', beginning: '', value: undefined }],
    ['a**d*', { like: 'a%d%', beginning: 'a', value: undefined }],
    ['*', { like: '%', beginning: '', value: undefined }],
    ['100%', { like: '%100\\%%', beginning: '', value: undefined }],
    ['a_b', { like: '%a\\_b%', beginning: '', value: undefined }],
    ['\\', { like: '%\\\\%', beginning: '', value: undefined }],
    ['a_*', { like: 'a\\_%', beginning: 'a_', value: undefined }],
    ['"', { like: '%"%', beginning: '', value: undefined }],
    ['""', { like: '%""%', beginning: '', value: undefined }],
    ['say "hi', { like: '%say "hi%', beginning: '', value: undefined }],
  ])('success: %j', (text, pattern) => {
    expect(parsePattern(text)).toEqual(pattern);
  });

  test('success: literal texts are written as they are stored, texts with stars are not', () => {
    const stored = (text: string) => text.replace('xn--', '');
    expect(parsePattern('xn--a', stored)).toEqual(containing('a'));
    expect(parsePattern('"xn--a"', stored)).toEqual(exactly('a'));
    expect(parsePattern('xn--a*', stored).beginning).toBe('xn--a');
  });

  test('success: texts that links make', () => {
    expect(parsePattern(quotedText('A*"b'))).toEqual(exactly('A*"b'));
    expect(parsePattern(beginningText('Mari')).beginning).toBe('mari');
    expect(beginningText('a*b')).toBe('a*b');
  });

  test.each([
    ['', undefined],
    ['   ', undefined],
    ['a\0b', null],
    ['\u0007', null],
    ['a'.repeat(256), null],
    ['a'.repeat(10_000), null],
    ['*'.repeat(10_000), null],
    [`a${'\u0301'.repeat(20)}`, null],
  ])('failure: %# says nothing, or nothing that could match', (text, expected) => {
    expect(filterPattern(text)).toBe(expected);
  });

  test('success: the longest text', () => {
    expect(filterPattern('a'.repeat(255))).toEqual(containing('a'.repeat(255)));
    expect(filterPattern('õ')).toEqual(containing('õ'));
  });
});

describe('in the database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Awaited<ReturnType<typeof connectAsOwner>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = await connectAsOwner({ ...inject('server'), database: database.name });
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });

  const VALUES = [
    'aed',
    'aed.ee',
    'taed',
    '100%',
    '100x',
    'a_b',
    'axb',
    'a\\b',
    'say "hi"',
    'õun',
    'a*b',
    '',
  ];
  const found = async (text: string): Promise<string[]> => {
    const pattern = parsePattern(text);
    const value = sql`v.value collate "C"`;
    const inIndex = indexedRange(value, pattern) ?? sql`true`;
    const rows = await db.rows(
      sql<{ value: string; isInRange: boolean }>`
        select value, ${inIndex} as "isInRange" from unnest(${VALUES}::text[]) as v(value) where ${matches(value, pattern)}`,
    );
    // What an index finds is all that matches.
    expect(rows.every(({ isInRange }) => isInRange)).toBe(true);
    return rows.map(({ value: each }) => each);
  };

  test.each([
    ['aed', ['aed', 'aed.ee', 'taed']],
    ['"aed"', ['aed']],
    ['AED*', ['aed', 'aed.ee']],
    ['*aed', ['aed', 'taed']],
    ['a*e', ['aed.ee']],
    ['%', ['100%']],
    ['100%', ['100%']],
    ['_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', ['a\\b']],
    ['"a\\b"', ['a\\b']],
    ['"', ['say "hi"']],
    ['"a*b"', ['a*b']],
    ['Õ', ['õun']],
    ['*', VALUES],
    ['a'.repeat(255), []],
    [`${'*a'.repeat(127)}b`, []],
    ["'; drop table domains; --", []],
  ])('success: %j', async (text, values) => {
    expect(await found(text)).toEqual(values);
  });

  test('success: stars do not make the search of a long text slow', async () => {
    const { like } = parsePattern(`${'*a'.repeat(126)}*b`);
    const start = performance.now();
    await db.rows(sql`select count(*) from generate_series(1, 2000) where repeat('a', 255) like ${like}`);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
