import { expect, test } from 'vitest';
import { RepeatedFailures } from '../../src/platform/repeated-failures.ts';

const MINUTE_MS = 60_000;

test('success: a failure is logged once, and while it lasts every ten minutes with the number of those in between', () => {
  let minute = 0;
  const failures = new RepeatedFailures(() => minute * MINUTE_MS);
  const logged: [minute: number, repeated: number][] = [];
  for (; minute <= 20; minute++) {
    const repeated = failures.add('deliver mails', 'away');
    if (repeated !== undefined) logged.push([minute, repeated]);
  }
  expect(logged).toEqual([
    [0, 0],
    [10, 9],
    [20, 9],
  ]);
});

test('success: another message, another source, and a failure after a success are new ones', () => {
  const failures = new RepeatedFailures(() => 0);
  expect(failures.add('deliver mails', 'away')).toBe(0);
  expect(failures.add('deliver mails', 'away')).toBeUndefined();
  expect(failures.add('deliver mails', 'full')).toBe(0);
  expect(failures.add('deliver mails', 'away')).toBeUndefined();
  expect(failures.add('refund payments', 'away')).toBe(0);
  failures.end('deliver mails');
  expect(failures.add('deliver mails', 'away')).toBe(0);
  expect(failures.add('refund payments', 'away')).toBeUndefined();
});

test('success: messages that differ each time are not kept without end', () => {
  const failures = new RepeatedFailures(() => 0);
  for (let number = 0; number < 20; number++) failures.add('deliver mails', `away, ${number}`);
  expect(failures.add('deliver mails', 'away, 0')).toBeUndefined();
  failures.add('deliver mails', 'away, 20');
  expect(failures.add('deliver mails', 'away, 0')).toBe(0);
});
