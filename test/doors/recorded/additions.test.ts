import { describe, expect, test } from 'vitest';
import { gainedBy, withoutAdditions } from './additions.ts';

const gained = (own: object, old: object) => gainedBy(JSON.stringify(own), JSON.stringify(old));

describe('what an answer has gained', () => {
  test('success: members, at any depth and in any item of a list', () => {
    expect(gained({ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } }, { a: 1, b: { d: [{ e: 3 }] } })).toEqual([
      'b.c',
      'b.d[].f',
    ]);
    expect(gained({ a: [] }, { a: [] })).toEqual([]);
    expect(gainedBy('{"id":<n>,"more":1}', '{"id":<n>}')).toEqual(['more']);
  });

  test('failure: a value, a type, the length of a list or the order of members has changed, or one is gone', () => {
    expect(gained({ a: 2, b: 1 }, { a: 1 })).toBeUndefined();
    expect(gained({ a: '1' }, { a: 1 })).toBeUndefined();
    expect(gained({ a: null }, { a: {} })).toBeUndefined();
    expect(gained({ a: [1, 2] }, { a: [1] })).toBeUndefined();
    expect(gained({ a: [] }, { a: {} })).toBeUndefined();
    expect(gained({ b: 1, a: 1 }, { a: 1, b: 1 })).toBeUndefined();
    expect(gained({ b: 1 }, { a: 1 })).toBeUndefined();
    expect(gainedBy('<PDF>', '{}')).toBeUndefined();
  });
});

const block = (path: string, body: string) =>
  `### alpha: POST ${path}\n> {}\n200\ncontent-type: json\n${body}`;
const recording = (...blocks: string[]) => `${blocks.join('\n\n')}\n`;
const compared = (now: string, then: string) => withoutAdditions(now, then, (_, path) => path.slice(1));

describe('a recording', () => {
  test('success: what was gained is listed once, and everything else is as recorded', () => {
    const then = recording(block('/a', '{"x":1}'), block('/a', '{"x":2}'));
    const now = recording(block('/a', '{"x":1,"y":1}'), block('/a', '{"x":2,"y":2}'), block('/b', '{}'));
    expect(compared(now, then)).toEqual({
      text: recording(block('/a', '{"x":1}'), block('/a', '{"x":2}'), block('/b', '{}')),
      additions: ['a 200: y'],
    });
  });

  test('failure: what has changed stays, and so does the answer to another request', () => {
    const then = recording(block('/a', '{"x":1}'), block('/b', '{}'));
    for (const now of [
      recording(block('/a', '{"x":2,"y":1}'), block('/b', '{}')),
      recording(block('/a', '{"x":1}'), block('/c', '{"y":1}')),
      recording(block('/a', '{"x":1}')),
    ])
      expect(compared(now, then)).toEqual({ text: now, additions: [] });
  });
});
