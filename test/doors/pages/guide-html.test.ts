import { describe, expect, test } from 'vitest';
import { cellsOf, guideHtml } from '../../../src/doors/pages/reference/guide-html.ts';

const shown = async (markdown: string) =>
  String(await guideHtml(markdown, (target) => (target.startsWith('#') ? target : undefined)));

describe('guides as HTML', () => {
  test('success: headings have the anchors that links name, each its own', async () => {
    expect(await shown('# One `thing`\n\n## A [link](#x), and more\n\n### Read\n\n### Read')).toBe(
      '<h1 id="one-thing">One <code>thing</code></h1>' +
        '<h2 id="a-link-and-more">A <a href="#x">link</a>, and more</h2>' +
        '<h3 id="read">Read</h3><h3 id="read-1">Read</h3>',
    );
  });

  test('success: paragraphs with code, links that lead somewhere, strong and emphasised text', async () => {
    expect(await shown('A `<b>`, *one* and **two**\nof [`x`](#y) and [z](src/z.ts).')).toBe(
      '<p>A <code>&lt;b&gt;</code>, <em>one</em> and <strong>two</strong>\nof <a href="#y"><code>x</code></a> and z.</p>',
    );
  });

  test('success: lists, whose items go on in further lines', async () => {
    expect(await shown('- one\n  more\n- two')).toBe('<ul><li>one\nmore</li><li>two</li></ul>');
    expect(await shown('1. one\n2. two')).toBe('<ol><li>one</li><li>two</li></ol>');
  });

  test('success: fenced code is text, whatever is in it', async () => {
    const code = await shown('```sh\n# no heading\n\n- <b>no item</b>\n```\nAfter');
    expect(code).toContain('<code># no heading\n\n- &lt;b&gt;no item&lt;/b&gt;</code></pre><p>After</p>');
  });

  test('success: tables, with bars in code and after backslashes', async () => {
    expect(cellsOf('| `a|b` c | | d \\| e |')).toEqual(['`a|b` c', '', 'd | e']);
    const table = await shown('| A | B |\n|---|---|\n| `x|y` | *z* |');
    expect(table).toContain('<code>x|y</code>');
    expect(table).toContain('<em>z</em>');
  });

  test('failure: markup is text', async () => {
    expect(await shown('<script>x</script> [a](javascript:x)')).toBe(
      '<p>&lt;script&gt;x&lt;/script&gt; a</p>',
    );
  });
});
