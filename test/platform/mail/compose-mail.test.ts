import { describe, expect, test } from 'vitest';
import { composeMail, defang } from '../../../src/platform/mail/compose-mail.ts';

describe('addresses in words of others', () => {
  test.each([
    ['http://evil.example', 'http[://]evil[.]example'],
    ['HTTPS://Evil.Example/a?b=c.d', 'HTTPS[://]Evil[.]Example/a?b=c[.]d'],
    ['http://localhost/x', 'http[://]localhost/x'],
    ['http://192.0.2.1/', 'http[://]192[.]0[.]2[.]1/'],
    ['evil.example', 'evil[.]example'],
    ['www.evil.example', 'www[.]evil[.]example'],
    ['Pay at evil.example, now!', 'Pay at evil[.]example, now!'],
    ['(evil.example)', '(evil[.]example)'],
    ['„evil.example“.', '„evil[.]example“.'],
    ['mari@evil.example', 'mari@evil[.]example'],
    ['mailto:mari@evil.example', 'mailto:mari@evil[.]example'],
    ['õun.ee', 'õun[.]ee'],
    ['evil.xn--p1ai', 'evil[.]xn--p1ai'],
    ['evil。example', 'evil[。]example'],
    ['\u{1f600}.ws', '\u{1f600}[.]ws'],
    ['maasikas.ee.evil.example', 'maasikas[.]ee[.]evil[.]example'],
    ['maasikas.ee/evil', 'maasikas[.]ee/evil'],
    ['http://maasikas.ee', 'http[://]maasikas[.]ee'],
    ['evil@maasikas.ee', 'evil@maasikas[.]ee'],
    ['evil.example\u00a0x', 'evil[.]example\u00a0x'],
  ])('failure: %s is no link any more', (text, shown) => {
    expect(defang(text, ['maasikas.ee'])).toBe(shown);
  });

  test.each([
    ...['maasikas.ee', 'Maasikas.EE.', '„maasikas.ee“,', '(maasikas.ee)'],
    ...['Mari Maasikas', 'J. R. Tamm', 'A.B. Tamm', 'Tamm & Pojad OÜ', 'AS Eesti...', '...', 'Tere, Mari!'],
    ...['20.00 EUR', '15.11.2026', '2026-11-15T10:00:00.000Z.', '1.2.3', 'a / b', 'https', '//', ''],
  ])('success: %s stays', (text) => {
    expect(defang(text, ['maasikas.ee'])).toBe(text);
  });

  test('success: a long run without an end is looked at in no time', () => {
    const started = performance.now();
    for (const piece of ['.', 'a.', '://', '(', 'a.b', '\u3002a'])
      defang(piece.repeat(50_000), ['maasikas.ee']);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('success: in a letter only its own link can be followed, in the text and in the HTML', () => {
    const name = 'Pay http://evil.example <www.evil.example>';
    const { subject, text, html } = composeMail({
      ...{ to: 'mari@example.ee', about: ['maasikas.ee'], link: 'https://registry.example/confirm/x' },
      subject: { et: `Domeen maasikas.ee: ${name}`, en: `Domain maasikas.ee: ${name}` },
      paragraphs: {
        et: [`Tere, ${name}! Domeen maasikas.ee.`],
        en: [`Dear ${name}, the domain maasikas.ee.`],
      },
    });
    for (const words of [subject, text, html]) {
      expect(words).not.toMatch(/evil\.|http:/);
      expect(words).toContain('http[://]evil[.]example');
      expect(words).toContain('maasikas.ee');
    }
    expect(text.match(/https:\/\/registry\.example\/confirm\/x/g)).toHaveLength(2);
    expect(html.match(/href="[^"]*"/g)).toEqual(Array(2).fill('href="https://registry.example/confirm/x"'));
  });
});
