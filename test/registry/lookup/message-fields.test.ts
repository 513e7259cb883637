import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { type MessageText, parseMessage } from '../../../src/registry/lookup/message-fields.ts';

const TEXT: MessageText = {
  senderName: 'Jaan Jõgi',
  senderEmail: 'jaan@example.ee',
  message: 'Is the domain for sale?',
};
const parse = (changes: Partial<MessageText>) => parseMessage({ ...TEXT, ...changes }, ee);

describe('a message to a registrant', () => {
  test('success: texts are trimmed, and line ends normalised', () => {
    expect(
      parse({
        senderName: ' Jaan Jõgi ',
        senderEmail: ' Jaan@Example.EE ',
        message: ' a line\r\nanother\r\n',
      }).value,
    ).toEqual({
      senderName: 'Jaan Jõgi',
      senderEmail: 'jaan@example.ee',
      message: 'a line\nanother',
    });
  });

  test('success: control and invisible characters become spaces; tags and markup stay text', () => {
    const { value } = parse({ message: 'a\u0000b\u202Ec\td\u2028e\u200Bf <b>&amp; g' });
    expect(value?.message).toBe('a b c d e f <b>&amp; g');
  });

  test('success: 2,000 characters of any script', () => {
    expect(parse({ message: '語'.repeat(2_000) }).value?.message).toHaveLength(2_000);
  });

  test.each([
    ['senderName', '', 'missing'],
    ['senderName', ' \n', 'missing'],
    ['senderName', 'a'.repeat(101), 'tooLong'],
    ['senderName', 'Jaan\r\nBcc: many@example.ee', 'wrong'],
    ['senderName', 'Jaan\nBcc: many@example.ee', 'wrong'],
    ['senderName', 'Jaan\u2028Jõgi', 'wrong'],
    ['senderName', '<b>Jaan</b>', 'wrong'],
    ['senderName', `a${'\u0301'.repeat(9)}`, 'wrong'],
    ['senderEmail', '', 'missing'],
    ['senderEmail', 'jaan', 'wrong'],
    ['senderEmail', 'jaan@example.ee, mari@example.ee', 'wrong'],
    ['senderEmail', 'jaan@example.ee\r\nBcc: many@example.ee', 'wrong'],
    ['senderEmail', 'Jaan <jaan@example.ee>', 'wrong'],
    ['message', '', 'missing'],
    ['message', '\u0000\u200B', 'missing'],
    ['message', 'too short', 'tooShort'],
    ['message', 'a'.repeat(2_001), 'tooLong'],
  ] as const)('failure: %s %j is %s', (field, text, fault) => {
    expect(parse({ [field]: text }).faults).toEqual({ [field]: fault });
  });

  test('failure: all faults are reported at once', () => {
    expect(parse({ senderName: '', senderEmail: 'x', message: '' }).faults).toEqual({
      senderName: 'missing',
      senderEmail: 'wrong',
      message: 'missing',
    });
  });
});
