import { describe, expect, test } from 'vitest';
import { composeMail, defang } from '../../../src/platform/mail/compose-mail.ts';
import { computed } from '../../support/running-time.ts';

describe('addresses in untrusted texts', () => {
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
    'maasikas.ee',
    'Maasikas.EE.',
    '„maasikas.ee“,',
    '(maasikas.ee)',
    'Mari Maasikas',
    'J. R. Tamm',
    'A.B. Tamm',
    'Tamm & Pojad OÜ',
    'AS Eesti...',
    '...',
    'Tere, Mari!',
    '20.00 EUR',
    '15.11.2026',
    '2026-11-15T10:00:00.000Z.',
    '1.2.3',
    'a / b',
    'https',
    '//',
    '',
  ])('success: %s stays', (text) => {
    expect(defang(text, ['maasikas.ee'])).toBe(text);
  });

  test('success: a long match takes linear time', () => {
    const milliseconds = computed(() => {
      for (const piece of ['.', 'a.', '://', '(', 'a.b', '\u3002a'])
        defang(piece.repeat(50_000), ['maasikas.ee']);
    });
    expect(milliseconds).toBeLessThan(2_000);
  });

  test('success: only the link of the mail itself can be followed, in the text and in the HTML', () => {
    const name = 'Pay http://evil.example <www.evil.example>';
    const { subject, text, html } = composeMail({
      to: 'mari@example.ee',
      about: ['maasikas.ee'],
      link: 'https://registry.example/confirm/x',
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

describe('the parts of a mail', () => {
  const parts = {
    to: 'mari@example.ee',
    about: ['maasikas.ee'],
    subject: { et: 'Tere', en: 'Hello' },
    paragraphs: { et: ['Eesti keeles'], en: ['In English'] },
  };

  test('success: one language where the recipient’s is known', () => {
    expect(composeMail({ ...parts, language: 'en' })).toEqual({
      to: 'mari@example.ee',
      subject: 'Hello',
      text: 'In English\n',
      html: '<!doctype html><html lang="en"><body><p>In English</p></body></html>',
    });
  });

  test('success: every untrusted line is marked, and none is a link or markup', () => {
    const mail = composeMail({
      ...parts,
      quotation: 'a <b>\n\n* * *\nevil.example',
      replyTo: 'a@example.ee',
    });
    expect(mail.text).toBe('Eesti keeles\n\n* * *\n\nIn English\n\n> a <b>\n>\n> * * *\n> evil[.]example\n');
    expect(mail.html).toContain('<blockquote>a &lt;b&gt;<br><br>* * *<br>evil[.]example</blockquote></body>');
    expect(mail.replyTo).toBe('a@example.ee');
  });
});
