import { describe, expect, test } from 'vitest';
import { clientLines } from '../../../src/doors/pages/reference/client-lines.ts';
import { fieldsOf } from '../../../src/doors/pages/reference/fields.ts';
import { readApi } from '../../../src/doors/pages/reference/model.ts';
import { referencePage } from '../../../src/doors/pages/reference/reference-page.ts';
import { realApis } from '../../pages/fixture.ts';

const place = { origin: 'http://registry.test', user: 'alpha:secret', mode: 'sandbox' } as const;
const plain = (markup: string) => markup.replaceAll(/<wbr>|<\/?var>/g, '');

/** The section of one call, without the others. */
function sectionOf(reference: string, id: string): string {
  return plain(new RegExp(`<section class="call" id="${id}"[\\s\\S]*?</section>`).exec(reference)?.[0] ?? '');
}

const apis = Object.entries(realApis).map(([name, document]) => ({ name, api: readApi(document) }));
const reference = await referencePage(apis, place);

describe.each(apis)('reference of the $name API', ({ name, api }) => {
  test('success: every call of the document is there, each in a group', () => {
    expect(reference).toContain(`<h2 class="api" id="${name}">${api.title}</h2>`);
    const { paths } = realApis[name as keyof typeof realApis];
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    expect(api.calls).toHaveLength(operations.length);
    expect(api.groups.flatMap(({ calls }) => calls)).toHaveLength(api.calls.length);
  });

  test.each(api.calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
    'success: %s is complete',
    (_name, call) => {
      const section = sectionOf(reference, call.id);
      expect(section).toContain(`>${call.method}</span> <code>${call.path}</code>`);
      expect(section).toContain('curl ');
      expect(reference).toContain(`href="#${call.id}"`);
      for (const { status } of call.answers) expect(section).toMatch(new RegExp(`\\b${status}\\b`));
      for (const { name } of call.parameters) expect(section).toContain(`<code>${name}</code>`);
    },
  );

  test('success: every refusal is listed, the common ones once', () => {
    const summaries = new Set(
      api.calls.flatMap(({ answers }) =>
        answers.flatMap(({ examples }) => examples.map(({ summary }) => summary)),
      ),
    );
    for (const summary of summaries) expect(reference).toContain(summary.replaceAll("'", '&#39;'));
  });
});

describe('the registrar API', () => {
  const [registrar = expect.fail()] = apis.map(({ api }) => api);

  test('success: each call has a client example, and the other APIs have none', () => {
    for (const { id } of registrar.calls)
      expect(sectionOf(reference, id)).toMatch(/aria-label="With the client".*<code>.*registry\.\w+\.\w+\(/s);
    expect(reference.split('aria-label="With the client"')).toHaveLength(registrar.calls.length + 1);
    expect(reference).toContain('new Registry({ baseUrl: &#39;http://registry.test&#39;');
  });

  test('success: a call names the events that it causes, which the page lists', () => {
    const section = sectionOf(reference, 'deleteDomain');
    expect(section).toContain(
      '<a href="#event-domain.deletion_pending"><code>domain.deletion_pending</code></a>',
    );
    expect(section).toContain('if the registrant must confirm it');
    expect(sectionOf(reference, 'readDomain')).not.toContain('Events');
    const types = registrar.events.map(({ type }) => type);
    for (const { events } of registrar.calls)
      expect(types).toEqual(expect.arrayContaining(events.map(({ type }) => type)));
    for (const type of types) expect(reference).toContain(`id="event-${type}"`);
  });

  test('success: calls can be tried only where trials are enabled', async () => {
    expect(reference).not.toContain('/docs/try');
    const offered = await referencePage(apis, { ...place, hasTrials: true });
    for (const { calls } of apis.map(({ api }) => api))
      for (const { id } of calls) expect(offered).toContain(`href="/docs/try/${id}"`);
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

describe('the page', () => {
  test('success: what many calls have in common is shown once', () => {
    expect(reference.split('message/coffeepot').length - 1).toBe(1);
  });

  test('success: links within the page have targets', () => {
    const targets = Array.from(reference.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
    const ids = Array.from(reference.matchAll(/\sid="([^"]+)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
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
    const reference = await referencePage(
      [
        {
          name: 'any',
          api: readApi({ info: { title: evil, description: evil }, paths: { [`/${evil}`]: { get: call } } }),
        },
      ],
      place,
    );
    expect(reference).not.toContain('<script');
  });

  test('success: a status without an example is shown too, and one call alone shares nothing', async () => {
    const call = {
      responses: { 200: { description: 'Fine' }, 404: { description: 'Not there' }, 409: answer(2302) },
    };
    const reference = await referencePage(
      [{ name: 'any', api: readApi({ paths: { '/thing/{id}': { get: call } } }) }],
      place,
    );
    const section = sectionOf(reference, 'get-thing-id-');
    for (const text of ['200', 'Fine', '404', 'Not there', '409', '2302', 'no way', '/thing/{id}'])
      expect(section).toContain(text);
    expect(reference).not.toContain('every-call');
  });

  test('success: an empty document makes a page', async () => {
    expect(await referencePage([{ name: 'any', api: readApi({}) }], place)).toContain('</html>');
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
