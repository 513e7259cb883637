import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLongJsonList } from '../../../src/doors/http/long-json-list.ts';
import { Refused } from '../../../src/operations/refusal.ts';

const parse = (text: string): Promise<unknown> =>
  parseLongJsonList('application/json', Buffer.from(text), 600_000);
const refusalOf = (text: string): Promise<unknown> =>
  parse(text).then(
    () => 'readable',
    (error: unknown) => (error instanceof Refused ? error.refusals[0].name : error),
  );
const invoice = (number: number) => ({ invoice_number: number, text: 'õ, "]" and [{', nested: [{ a: [] }] });
/** More than three slices. */
const LONG = Array.from({ length: 5_000 }, (_, index) => invoice(index));

test('success: a long list is the same as if it were parsed at once, and others have turns meanwhile', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const text = JSON.stringify(LONG);
  expect(await parse(` \n${text}\t`)).toEqual(LONG);
  isOver = true;
  expect(turns).toBeGreaterThan(text.length / 65_536);
});

test('property: any list is the same as if it were parsed at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), async (items) => {
      // Numbers that JSON writes in another way, such as -0, are compared as text.
      const text = JSON.stringify(items);
      expect(JSON.stringify(await parse(text))).toBe(text);
    }),
    { numRuns: 100 },
  );
});

const inner = JSON.stringify(LONG).slice(1, -1);
test.each([
  ['[]', 'readable'],
  ['[ ]', 'readable'],
  ['{}', 'readable'],
  ['', 'readable'],
  ['[,]', 'malformedJson'],
  [`[${inner},]`, 'malformedJson'],
  [`[,${inner}]`, 'malformedJson'],
  [`[${inner},,${inner}]`, 'malformedJson'],
  [`[${inner}],[${inner}]`, 'malformedJson'],
  [`[${inner}`, 'malformedJson'],
  [`[${inner}}]`, 'malformedJson'],
  [`[${inner},"]`, 'malformedJson'],
  [`[${'['.repeat(100)}${']'.repeat(100)}]`, 'malformedJson'],
  [`["${'x'.repeat(2 * 1024 * 1024)}"]`, 'malformedJson'],
  [`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'malformedJson'],
  [`[[${'1,'.repeat(100_000)}1]]`, 'tooManyValues'],
  [`[${'1,'.repeat(600_001)}1]`, 'tooManyValues'],
])('success, failure: %#', async (text, expected) => {
  expect(await refusalOf(text)).toBe(expected);
});
