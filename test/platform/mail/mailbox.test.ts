import { describe, expect, test } from 'vitest';
import { isAddress, parseMailbox } from '../../../src/platform/mail/enqueue-mails.ts';

describe('a mailbox', () => {
  test('success: an address alone, or after a name', () => {
    expect(parseMailbox('registry@example.ee')).toEqual({ name: '', address: 'registry@example.ee' });
    expect(parseMailbox('Eesti Õigusregister <registry@example.ee>')).toEqual({
      name: 'Eesti Õigusregister',
      address: 'registry@example.ee',
    });
    expect(parseMailbox('õ@näide.ee')).toEqual({ name: '', address: 'õ@näide.ee' });
  });

  test.each([
    'registry',
    '@example.ee',
    'a@',
    'a@b@c.ee',
    'A <a@b.ee',
    'A <a@b.ee>, C <c@d.ee>',
    'A, B <a@b.ee>',
    '"A" <a@b.ee>',
    'A\r\nBcc: c@d.ee <a@b.ee>',
    'A\u0000 <a@b.ee>',
  ])('failure: %j', (text) => {
    expect(parseMailbox(text)).toBeUndefined();
  });
});

describe('an address', () => {
  test.each([
    'a@b.ee, c@d.ee',
    'a@b.ee c@d.ee',
    'a@b.ee;c@d.ee',
    'a@b.ee\nBcc: c@d.ee',
    'a@b.ee\r\nRCPT TO:<c@d.ee>',
    'a@b.ee\u2028x',
    '<a@b.ee>',
    '(comment)a@b.ee',
    `${'a'.repeat(65)}@b.ee`,
    ' a@b.ee',
    'a@b.ee ',
    'a@b.ee\n',
  ])('failure: %j is not exactly one', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});
