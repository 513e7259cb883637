import { describe, expect, test } from 'vitest';
import { checkUnstable } from './unstable-list.ts';

const now = new Date('2026-11-18T09:00:00Z');
const check = (since: string, exists = true): string[] =>
  checkUnstable([{ file: 'test/a.test.ts', since }], now, () => exists);

describe('the list of unstable tests', () => {
  test('success: an empty one', () => {
    expect(checkUnstable([], now, () => true)).toEqual([]);
  });

  test.each(['2026-11-18', '2026-11-11'])('success: an entry of the last seven days (%s)', (since) => {
    expect(check(since)).toEqual([]);
  });

  test('failure: an entry older than seven days', () => {
    expect(check('2026-11-10')).toEqual(['test/a.test.ts: unstable for 8 days; mend it before other work']);
  });

  test.each(['2026-11-19', 'yesterday', '', '2026-13-01'])('failure: no day until today (%s)', (since) => {
    expect(check(since)).toEqual([`test/a.test.ts: "${since}" is no day until today`]);
  });

  test('failure: a file that is gone', () => {
    expect(check('2026-11-18', false)).toEqual(['test/a.test.ts: there is no such file; remove its entry']);
  });
});
