import { describe, expect, test } from 'vitest';
import { headerText } from '../../../src/doors/http/request-headers.ts';

/** A header as Node hands it on: one character for each byte. */
const asRead = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1');

describe('the text of a header', () => {
  test.each([['plain-ascii'], ['õunapuu-äike'], ['šokolaad'], ['日本語のコード'], ['🦊🦊🦊🦊'], ['']])(
    'success: %s in UTF-8',
    (text) => {
      expect(headerText(asRead(text, 'utf8'))).toBe(text);
    },
  );

  test.each([['plain-ascii'], ['õunapuu-äike']])('success: %s in Latin-1', (text) => {
    expect(headerText(asRead(text, 'latin1'))).toBe(text);
  });

  test('failure: there is none', () => {
    expect(headerText(undefined)).toBeUndefined();
  });
});
