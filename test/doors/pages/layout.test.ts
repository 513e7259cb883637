import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { html, page, trusted } from '../../../src/doors/html/layout.ts';
import { stylesheetHash } from '../../../src/doors/html/shared-style.ts';

describe('html', () => {
  test('success: text is escaped, in content and in quoted attributes', () => {
    const hostile = `<script>alert("1")</script> & 'x'`;
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;';
    expect(html`<a title="${hostile}" rel='${hostile}'>${hostile}</a>`.toString()).toBe(
      `<a title="${escaped}" rel='${escaped}'>${escaped}</a>`,
    );
  });

  test('success: fragments and lists of them stay markup, and their content is escaped once', () => {
    const items = ['a & b', '<c>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a &amp; b</li><li>&lt;c&gt;</li></ul>');
  });

  test('success: numbers are shown, zero too; false, null and undefined render nothing', () => {
    expect(html`${0} ${12n} ${''}|${false}${null}${undefined}|`.toString()).toBe('0 12 ||');
  });

  test('success: a list of texts is escaped item by item', () => {
    expect(html`${['<', '>']}`.toString()).toBe('&lt;&gt;');
  });

  test('success: only trusted markup is not escaped', () => {
    expect(html`${trusted('<b>x</b>')}`.toString()).toBe('<b>x</b>');
  });

  test('failure: an object of the same shape is not a fragment', () => {
    const impostor = { toString: () => '<script>' } as unknown as string;
    expect(() => html`${impostor}`).toThrow();
  });
});

describe('page', () => {
  const made = page({ title: 'A <title>', lang: 'et', body: html`<h1>Tere</h1>`, badge: 'Proov' });

  test('success: it names its language, escapes its title and has its landmarks', () => {
    expect(made).toMatch(/^<!doctype html>\n<html lang="et">/);
    expect(made).toContain('<title>A &lt;title&gt;</title>');
    expect(made).toContain('<h1>Tere</h1>');
    expect(made).toContain('Liigu sisu juurde');
    for (const landmark of ['<header', '<main id="content"']) expect(made).toContain(landmark);
  });

  test('success: it has no script, no style attribute and no external address', () => {
    expect(made).not.toMatch(/<script|\sstyle=|\son\w+=|url\((?!\/fonts\/)|@import/i);
    expect(made.match(/https?:\/\/[^"' ]+/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  test('success: it links to the other language, in the words of that language', () => {
    const both = { title: 'x', body: html``, inBothLanguages: true } as const;
    expect(page({ ...both, lang: 'et' })).toContain(
      '<a href="?lang=en" lang="en" hreflang="en">In English</a>',
    );
    expect(page({ ...both, lang: 'en' })).toContain(
      '<a href="?lang=et" lang="et" hreflang="et">Eesti keeles</a>',
    );
    expect(made).not.toContain('?lang=');
  });

  test('success: its stylesheet is the one that the policy allows', () => {
    const sheet = /<style>([\s\S]*?)<\/style>/.exec(made)?.[1] ?? '';
    expect(stylesheetHash).toBe(`'sha256-${createHash('sha256').update(sheet).digest('base64')}'`);
  });
});
