import { expect, test } from 'vitest';
import { isReference, MAX_REFERENCE_LENGTH } from '../../src/registry/own-reference.ts';

test.each(['a', 'order 12/2026', 'tellimus nr 7 – öö', '👍'.repeat(MAX_REFERENCE_LENGTH)])(
  'success: %j',
  (text) => expect(isReference(text)).toBe(true),
);

test.each(['', 'a'.repeat(MAX_REFERENCE_LENGTH + 1), 'two\nlines', 'a tab\t', '\u0085'])(
  'failure: %j',
  (text) => expect(isReference(text)).toBe(false),
);
