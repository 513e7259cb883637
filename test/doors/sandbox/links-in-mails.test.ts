import { describe, expect, test } from 'vitest';
import { linksIn } from '../../../src/doors/sandbox/links-in-mails.ts';

describe('the links of a mail', () => {
  test('success: each of them once, in their order', () => {
    const text =
      'Vt https://registry.example/confirm/a.\n\nhttp://other.example/b\n\nSee https://registry.example/confirm/a.';
    expect(linksIn(text)).toEqual(['https://registry.example/confirm/a', 'http://other.example/b']);
  });

  test('failure: none', () => {
    expect(linksIn('Nothing to see at ftp://here.')).toEqual([]);
  });
});
