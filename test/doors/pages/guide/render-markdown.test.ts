import { describe, expect, test } from 'vitest';
import { blocksOf, sectionsOf } from '../../../../src/doors/pages/guide/markdown-blocks.ts';
import { renderBlocks } from '../../../../src/doors/pages/guide/render-markdown.ts';

const shown = async (markdown: string) =>
  String(
    await renderBlocks(blocksOf(markdown), {
      resolve: (target) => (target.startsWith('src/') ? undefined : `/guide/${target}`),
      drawing: (target) => (target.endsWith('.svg') ? '<svg></svg>' : undefined),
    }),
  ).trim();

describe('pages of the guide as HTML', () => {
  test('success: headings have the anchors that links name, each its own, and link to themselves', async () => {
    expect(await shown('# One `thing`\n\n### Read\n\n### Read')).toBe(
      '<h1 id="one-thing"><a class="anchor" href="#one-thing">One <code>thing</code></a></h1>\n' +
        '<h3 id="read"><a class="anchor" href="#read">Read</a></h3>\n' +
        '<h3 id="read-1"><a class="anchor" href="#read-1">Read</a></h3>',
    );
    expect(await shown('## A [link](x.md)')).toBe('<h2 id="a-link">A <a href="/guide/x.md">link</a></h2>');
  });

  test('success: links to what is not shown are text', async () => {
    expect(await shown('[`x`](y.md) and [z](src/z.ts).')).toBe(
      '<p><a href="/guide/y.md"><code>x</code></a> and z.</p>',
    );
  });

  test('failure: markup and addresses of scripts are text', async () => {
    const page = await shown(
      'A <b onclick="x">b</b>\n\n<script>alert(1)</script>\n\n`<i>` &lt;\n\n```sh\n<u>\n```',
    );
    expect(page).not.toMatch(/<(b|script|i|u)\b/);
    expect(page).toContain('&lt;script&gt;');
    expect(await shown('before\n\n<!-- for authors -->\n\nafter')).not.toContain('authors');
  });

  test('success: code is coloured by classes, in a language that is not known it is text', async () => {
    const known = await shown('```json\n{"a": 1}\n```');
    expect(known).toContain('aria-label="Code, json"');
    expect(known).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
    expect(await shown('```cobol\nADD <1>\n```')).toContain('<code>ADD &lt;1&gt;</code>');
  });

  test('success: a row that begins with a code has it as an anchor, unless it is taken', async () => {
    const page = await shown(
      '# Names\n\n| name | text |\n|---|--:|\n| `noFunds` | 1 |\n| `names` | `a\\|b` |',
    );
    expect(page).toContain(
      '<span id="noFunds"><a class="anchor" href="#noFunds"><code>noFunds</code></a></span>',
    );
    expect(page).toContain('<code>a|b</code>');
    expect(page.match(/id="names"/g)).toHaveLength(1);
    expect(page).toContain('data-label="text" class="number"');
  });

  test('success: drawings stand in the page, other pictures are loaded', async () => {
    expect(await shown('![Two "boxes"](a.svg)')).toContain(
      '<span class="drawing" role="img" aria-label="Two &quot;boxes&quot;"><svg></svg></span>',
    );
    expect(await shown('![A page](a.png)')).toContain('<img src="/guide/a.png" alt="A page" loading="lazy">');
    expect(await shown('![A page](src/a.png)')).toBe('<p>A page</p>');
  });

  test('success: sections are what stands below a heading, and rows with an anchor', () => {
    const markdown = '# One\n\nText *of* it.\n\n- a\n- b\n\n## Two\n\n| x | y |\n|---|---|\n| `z` | end |';
    expect(sectionsOf(blocksOf(markdown))).toEqual([
      { title: 'One', anchor: 'one', text: 'Text of it. a b', isRow: false },
      { title: 'Two', anchor: 'two', text: '', isRow: false },
      { title: 'z', anchor: 'z', text: 'z end', isRow: true },
    ]);
  });
});
