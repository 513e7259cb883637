import { describe, expect, test } from 'vitest';
import {
  decideView,
  hasDays,
  MAX_VIEWS,
  parseViewName,
  withFixedDays,
  withMovingDays,
} from '../../../src/registry/people/saved-view.ts';

describe('the name of a view', () => {
  test.each([
    ['Expiring in 30 days', 'Expiring in 30 days'],
    ['  Aeguvad  ', 'Aeguvad'],
    ['o\u0303un', 'õun'],
    ['<b>"x"</b>', '<b>"x"</b>'],
    ['a'.repeat(60), 'a'.repeat(60)],
    ['😀'.repeat(60), '😀'.repeat(60)],
  ])('success: %j', (text, name) => {
    expect(parseViewName(text)).toBe(name);
  });

  test.each([
    '',
    '   ',
    '\u200b',
    'a\0b',
    'a\nb',
    'a\u202eb',
    'a'.repeat(61),
    '😀'.repeat(61),
    'a'.repeat(100_000),
  ])('failure: %#', (text) => {
    expect(parseViewName(text)).toBeUndefined();
  });
});

describe('a new view', () => {
  const views = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `View ${index}`, place: index + 1 }));

  test('success: takes the first place that is free', () => {
    expect(decideView([], { name: 'a' })).toEqual({ place: 1 });
    expect(
      decideView(
        views(5).filter(({ place }) => place !== 3),
        { name: 'a' },
      ),
    ).toEqual({ place: 3 });
    expect(decideView(views(MAX_VIEWS - 1), { name: 'a' })).toEqual({ place: MAX_VIEWS });
  });

  test('failure: the name of another one, in capitals or not', () => {
    expect(decideView(views(2), { name: 'vIEW 1' })).toEqual({ problem: 'nameTaken' });
  });

  test('failure: no place is free', () => {
    expect(decideView(views(MAX_VIEWS), { name: 'a' })).toEqual({ problem: 'tooMany' });
  });
});

describe('days that move along with today', () => {
  test.each([
    [
      { from: '2026-11-19', to: '2026-12-19', name: '2026-11-19' },
      { from: '@0', to: '@30', name: '2026-11-19' },
      { from: '2026-11-20', to: '2026-12-20', name: '2026-11-19' },
    ],
    [{ to: '2026-11-12' }, { to: '@-7' }, { to: '2026-11-13' }],
    [{ from: '2028-02-29' }, { from: '@467' }, { from: '2028-03-01' }],
    [{ sort: 'name' }, { sort: 'name' }, { sort: 'name' }],
    [{ from: '9990-01-01' }, { from: '9990-01-01' }, { from: '9990-01-01' }],
  ])('success: %j', (parameters, kept, tomorrow) => {
    expect(withMovingDays(parameters, '2026-11-19')).toEqual(kept);
    expect(withFixedDays(kept, '2026-11-19')).toEqual(parameters);
    expect(withFixedDays(kept, '2026-11-20')).toEqual(tomorrow);
  });

  test('success: only days are days', () => {
    expect(withFixedDays({ from: '@x', to: '@1000000', name: '@1' }, '2026-11-19')).toEqual({
      from: '@x',
      to: '@1000000',
      name: '@1',
    });
    expect([hasDays({ to: '2026-11-19' }), hasDays({ name: 'a' })]).toEqual([true, false]);
  });
});
