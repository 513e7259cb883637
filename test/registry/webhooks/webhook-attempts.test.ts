import { describe, expect, test } from 'vitest';
import { keptResponse, unlessUnkept } from '../../../src/registry/webhooks/webhook-attempts.ts';

describe('what is kept of an answer', () => {
  test.each([
    ['ok', 'ok'],
    ['', null],
    [' \n', null],
    ['a\0b', 'ab'],
    ['x'.repeat(2_000), 'x'.repeat(1_000)],
    [`${'x'.repeat(999)}😀`, `${'x'.repeat(999)}\ufffd`],
  ])('success: of %j', (body, kept) => {
    expect(keptResponse(body)).toBe(kept);
  });
});

describe('recording an attempt', () => {
  const failing = (code: string) => async (isKept: boolean) => {
    if (isKept) throw Object.assign(new Error('refused'), { code });
    return 'recorded';
  };

  test.each([
    ['where the schema is older than the table', '42P01'],
    ['where the delivery was just deleted', '23503'],
  ])('success: nothing is kept %s', async (_, code) => {
    expect(await unlessUnkept(failing(code))).toBe('recorded');
  });

  test('failure: every other failure is one', async () => {
    await expect(unlessUnkept(failing('40001'))).rejects.toThrow('refused');
  });
});
