import { describe, expect, test } from 'vitest';
import { readGuideFiles } from '../../../src/doors/pages/guide/guide-files.ts';
import { mapGuide } from '../../../src/doors/pages/guide/guide-map.ts';
import { clientLines } from '../../../src/doors/pages/reference/client-lines.ts';
import { fieldsOf } from '../../../src/doors/pages/reference/fields.ts';
import { readApi } from '../../../src/doors/pages/reference/model.ts';
import { apiPath, callPath, groupPath, markdownPath } from '../../../src/doors/pages/reference/places.ts';
import { showApi } from '../../../src/doors/pages/reference/site.ts';
import { sitePages } from '../../../src/doors/pages/reference/site-pages.ts';
import { realApis } from '../../pages/fixture.ts';

const guide = mapGuide(await readGuideFiles());
const CALLER = { origin: 'http://registry.test', user: { username: 'alpha', password: 'secret' } };
const plain = (markup: string) => markup.replaceAll(/<wbr>|<\/?var>/g, '');

/** Every page of a reference, rendered. */
async function rendered(documents: Readonly<Record<string, object>>, hasTrials = false) {
  const apis = Object.entries(documents).map(([name, document]) => showApi(name, document, CALLER));
  const site = { mode: 'sandbox', caller: CALLER, hasTrials, apis, guide } as const;
  const pages = await Promise.all(
    sitePages(site).map(async ({ path, html, markdown }) => ({
      path,
      html: await html({ site, path, language: 'curl' }),
      markdown: markdown('curl'),
    })),
  );
  return { site, pages, at: (path: string) => pages.find((page) => page.path === path) ?? expect.fail(path) };
}

const reference = await rendered(realApis);
const everything = reference.pages.map(({ html }) => html).join('');

/** The section of one call, without the others. */
const sectionOf = (page: string, id: string): string =>
  plain(new RegExp(`<section class="call" id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '');

describe.each(reference.site.apis)('reference of the $name API', ({ name, api }) => {
  const pageOf = (call: (typeof api.calls)[number]) => reference.at(callPath(name, call).replace(/#.*/, ''));

  test('success: every call of the document is there, each on the page of its group', () => {
    expect(reference.at(apiPath(name)).html).toContain(`<h1>${api.title}</h1>`);
    const { paths } = realApis[name as keyof typeof realApis];
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    expect(api.calls).toHaveLength(operations.length);
    for (const group of api.groups)
      for (const { id } of group.calls)
        expect(reference.at(groupPath(name, group)).html).toContain(`<section class="call" id="${id}"`);
  });

  test.each(api.calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
    'success: %s is complete, as a page and as Markdown',
    (_name, call) => {
      const { html, markdown } = pageOf(call);
      const section = sectionOf(html, call.id);
      expect(section).toContain(`>${call.method}</span> <code>${call.path}</code>`);
      expect(section).toContain('curl ');
      expect(html).toContain(`href="#${call.id}"`);
      for (const { status } of call.answers) expect(section).toMatch(new RegExp(`\\b${status}\\b`));
      for (const { name } of call.parameters) expect(section).toContain(`<code>${name}</code>`);
      const [, text = ''] = markdown.split(`\n\n\`${call.method} ${call.path}\` (${call.id})`);
      expect(text).toContain('curl ');
      for (const { name } of call.parameters) expect(text).toContain(`| \`${name}\` |`);
      expect(reference.at('/docs').html).toContain(`<li id="${call.id}"><a href="${callPath(name, call)}">`);
    },
  );

  test('success: every refusal is listed, the common ones once', () => {
    const summaries = new Set(
      api.calls.flatMap(({ answers }) =>
        answers.flatMap(({ examples }) => examples.map(({ summary }) => summary)),
      ),
    );
    const markdown = reference.pages.map((page) => page.markdown).join('');
    for (const summary of summaries) {
      expect(everything).toContain(summary.replaceAll("'", '&#39;'));
      expect(markdown).toContain(summary);
    }
  });
});

describe('the registrar API', () => {
  const { api } = reference.site.apis.find(({ name }) => name === 'registrar') ?? expect.fail();
  const domains = reference.at('/docs/registrar/domains').html;

  test('success: a call names the events that it causes, which a page lists', () => {
    const section = sectionOf(domains, 'deleteDomain');
    expect(section).toContain(
      '<a href="/docs/registrar/events#event-domain.deletion_pending"><code>domain.deletion_pending</code></a>',
    );
    expect(section).toContain('if the registrant must confirm it');
    expect(sectionOf(domains, 'readDomain')).not.toContain('Events');
    const types = api.events.map(({ type }) => type);
    for (const { events } of api.calls)
      expect(types).toEqual(expect.arrayContaining(events.map(({ type }) => type)));
    for (const type of types)
      expect(reference.at('/docs/registrar/events').html).toContain(`id="event-${type}"`);
  });

  test('success: calls can be tried only where trials are enabled', async () => {
    expect(everything).not.toContain('/docs/try');
    const { pages, site } = await rendered(realApis, true);
    const offered = pages.map(({ html }) => html).join('');
    for (const { api: each } of site.apis)
      for (const { id } of each.calls) expect(offered).toContain(`href="/docs/try/${id}"`);
  });
});

describe('the client examples', () => {
  const linesOf = (example: unknown, schema: object = { type: 'object', properties: {} }) =>
    clientLines(
      readApi({
        paths: {
          '/x': {
            post: {
              operationId: 'makeThing',
              tags: ['Price list'],
              requestBody: { content: { 'application/json': { schema, example } } },
            },
          },
        },
      }).calls[0] ?? expect.fail(),
      (schema) => schema,
    );

  test('success: a call that has no name of its own, and texts with quotes', async () => {
    expect(linesOf({ name: `Mari's "farm"\n\\`, 'not-a-name': [1, null] })).toBe(
      `const { data } = await registry.priceList.makeThing({ name: 'Mari\\'s "farm"\\n\\\\', 'not-a-name': [1, null] });`,
    );
  });

  test('success: objects that only wrap the input are left out, long ones have lines of their own', async () => {
    const inner = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
    const example = { thing: { a: 'x'.repeat(50), b: 'y'.repeat(50) } };
    expect(linesOf(example, { type: 'object', properties: { thing: inner } })).toBe(
      `const { data } = await registry.priceList.makeThing({\n  a: '${'x'.repeat(50)}',\n  b: '${'y'.repeat(50)}',\n});`,
    );
  });
});

describe('the pages', () => {
  test('success: what many calls have in common is shown once', () => {
    expect(everything.split('message/coffeepot').length - 1).toBe(1);
  });

  test('success: each marks its entry, and no other', () => {
    for (const { path, html } of reference.pages) {
      const marked = Array.from(html.matchAll(/<a href="([^"]*)" aria-current="page">/g), ([, href]) => href);
      expect([path, [...new Set(marked)]]).toEqual([path, [path]]);
    }
  });

  test('success: every link to a page of the reference has its target', () => {
    const idsOf = (html: string) => Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id);
    const targets = new Map(reference.pages.map(({ path, html }) => [path, idsOf(html)]));
    for (const { path, html } of reference.pages) {
      const ids = targets.get(path) ?? [];
      expect([path, ids.length]).toEqual([path, new Set(ids).size]);
      for (const [, href = ''] of html.matchAll(/href="((?:\/docs[^"]*|#[^"]+))"/g)) {
        const [target = '', anchor] = href.replace(/\?[^#]*/, '').split('#');
        if (target.endsWith('.md') || target === '/docs/search') continue;
        const known = target === '' ? ids : targets.get(target);
        expect([
          path,
          href,
          known === undefined ? 'no page' : anchor === undefined || known.includes(anchor),
        ]).toEqual([path, href, true]);
      }
    }
  });

  test('success: the list for programs that read has each page as Markdown, and these link to each other', () => {
    const list = reference.at('/docs').markdown;
    const others = reference.pages.filter(({ path }) => path !== '/docs');
    for (const { path, markdown } of others) {
      expect(list).toContain(`](http://registry.test${markdownPath(path)})`);
      expect(markdown).toMatch(/^# /);
      for (const [, target = ''] of markdown.matchAll(/\]\((\/docs[^)#]*)/g))
        expect(others.map((other) => markdownPath(other.path))).toContain(target);
    }
  });

  test('success: tables of Markdown have as many cells in each row', () => {
    for (const { path, markdown } of reference.pages)
      for (const rows of markdown.match(/(?:^\|.*\n?)+/gm) ?? []) {
        const counts = rows
          .trim()
          .split('\n')
          .map((row) => row.replaceAll('\\|', '').split('|').length);
        expect([path, rows, new Set(counts).size]).toEqual([path, rows, 1]);
      }
  });
});

describe('reference of any API', () => {
  const answer = (code: number) => ({
    description: 'No',
    content: { 'application/json': { examples: { no: { summary: 'no way', value: { code } } } } },
  });

  test('success: hostile text in the document is escaped everywhere', async () => {
    const evil = '"><script>x</script>';
    const call = {
      operationId: evil,
      tags: [evil],
      summary: evil,
      description: evil,
      parameters: [
        { name: evil, in: evil, description: evil, example: evil, schema: { type: evil, enum: [evil] } },
      ],
      requestBody: {
        content: {
          'application/json': {
            schema: { properties: { [evil]: { description: evil, default: evil } } },
            example: { [evil]: evil },
          },
        },
      },
      responses: {
        [evil]: { description: evil },
        200: { description: evil, content: { 'application/json': { example: { [evil]: [evil, 1, null] } } } },
      },
    };
    const document = {
      info: { title: evil, description: evil },
      tags: [{ name: evil, description: evil }],
      paths: { [`/${evil}`]: { get: call } },
    };
    const { pages } = await rendered({ any: document });
    for (const { html } of pages) expect(html).not.toContain('<script');
  });

  test('success: a status without an example is shown too, and one call alone shares nothing', async () => {
    const call = {
      responses: { 200: { description: 'Fine' }, 404: { description: 'Not there' }, 409: answer(2302) },
    };
    const { at } = await rendered({ any: { paths: { '/thing/{id}': { get: call } } } });
    const section = sectionOf(at('/docs/any/calls').html, 'get-thing-id-');
    for (const text of ['200', 'Fine', '404', 'Not there', '409', '2302', 'no way', '/thing/{id}'])
      expect(section).toContain(text);
    expect(at('/docs/any').html).not.toContain('every-call');
  });

  test('success: an empty document makes pages', async () => {
    for (const { html } of (await rendered({ any: {} })).pages) expect(html).toContain('</html>');
  });
});

describe('fields of a schema', () => {
  const pathsOf = (schema: object) =>
    fieldsOf(schema as never, readApi({ components: { schemas: { Node: node } } }).resolve).map(
      ({ path }) => path,
    );
  const node = {
    type: 'object',
    properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
  };

  test('success: objects, lists and alternatives are followed', () => {
    const person = { type: 'object', properties: { name: { type: 'string' } } };
    const schema = {
      type: 'object',
      properties: {
        people: { type: 'array', items: { anyOf: [{ type: 'string' }, person] } },
        tags: { type: 'array', items: { type: 'string' } },
      },
    };
    expect(pathsOf(schema)).toEqual(['people', 'people[].name', 'tags']);
  });

  test('success: a field is required if every alternative requires it', () => {
    const a = {
      properties: { code: { type: 'string' }, name: { type: 'string' } },
      required: ['code', 'name'],
    };
    const b = { properties: { code: { type: 'string' } }, required: ['code'] };
    const fields = fieldsOf({ anyOf: [a, b, { type: 'null' }] }, (schema) => schema);
    expect(fields.map(({ path, required }) => [path, required])).toEqual([
      ['code', true],
      ['name', false],
    ]);
  });

  test('success: allOf is merged into one', () => {
    const a = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
    const b = { properties: { name: { type: 'string' } } };
    const fields = fieldsOf({ allOf: [a, b] }, (schema) => schema);
    expect(fields.map(({ path, required }) => [path, required])).toEqual([
      ['code', true],
      ['name', false],
    ]);
  });

  test('failure: a recursive schema terminates', () => {
    expect(pathsOf({ $ref: '#/components/schemas/Node' }).length).toBeLessThan(30);
  });
});
