import { describe, expect, test } from 'vitest';
import { snoozedUntil, snoozeEnd } from '../../../src/registry/people/snoozed-lines.ts';

describe('until when a line is put off', () => {
  test.each([
    // A Thursday, and its last minute in Tallinn.
    ['tomorrow', '2026-11-19T10:00:00Z', '2026-11-19T22:00:00Z'],
    ['tomorrow', '2026-11-19T21:59:59Z', '2026-11-19T22:00:00Z'],
    ['tomorrow', '2026-11-19T22:00:00Z', '2026-11-20T22:00:00Z'],
    ['week', '2026-11-19T10:00:00Z', '2026-11-22T22:00:00Z'],
    // A Sunday and a Monday.
    ['week', '2026-11-22T10:00:00Z', '2026-11-22T22:00:00Z'],
    ['week', '2026-11-23T10:00:00Z', '2026-11-29T22:00:00Z'],
    // Clocks are changed on the Sunday between.
    ['week', '2026-03-27T10:00:00Z', '2026-03-29T21:00:00Z'],
    ['tomorrow', '2026-12-31T10:00:00Z', '2026-12-31T22:00:00Z'],
  ] as const)('success: %s at %s', (snooze, now, end) => {
    expect(snoozeEnd(snooze, new Date(now), 'Europe/Tallinn')).toEqual(new Date(end));
  });
});

describe('a line that is put off', () => {
  const now = new Date('2026-11-19T10:00:00Z');
  const until = new Date('2026-11-20T10:00:00Z');
  const snoozed = [{ key: 'messages', count: 3, until }];

  test.each([
    ['messages', 3, now, until],
    ['messages', 2, now, until],
    ['messages', 4, now, undefined],
    ['messages', 3, until, undefined],
    ['debt', 3, now, undefined],
  ])('success: %s of %d at %s', (key, count, at, expected) => {
    expect(snoozedUntil({ key, count }, snoozed, at)).toEqual(expected);
  });
});
