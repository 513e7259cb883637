import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../../packages/sdk/package.json' with { type: 'json' };
import { Registry, VERSION } from '../../../packages/sdk/src/index.ts';
import type { Document } from '../../../scripts/sdk/calls.ts';
import { emitGroups, emitTypes } from '../../../scripts/sdk/emit.ts';
import { emitEvents } from '../../../scripts/sdk/emit-events.ts';
import { generateSdk } from '../../../scripts/sdk/generate.ts';
import { apiDocument } from '../../support/endpoints.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

describe('the generated files of packages/sdk', () => {
  test('success: they are the output of npm run sdk:generate', () => {
    for (const [file, code] of generateSdk())
      expect(readFileSync(path.join(ROOT, file), 'utf8'), `${file}: run npm run sdk:generate`).toBe(code);
  });

  test('success: the version that the client sends is that of its package', () => {
    expect(VERSION).toBe(manifest.version);
  });

  test('success: the README lists every group with its methods', () => {
    const rows = readFileSync(path.join(ROOT, 'packages/sdk/README.md'), 'utf8').matchAll(
      /^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|$/gm,
    );
    const documented = Array.from(rows, ([, group, methods = '']) => [
      group,
      methods.replaceAll('`', '').split(', ').sort(),
    ]);
    const client = new Registry({ baseUrl: 'http://127.0.0.1', username: 'x', password: 'x' });
    const actual = Object.entries(client).map(([group, calls]) => [
      group,
      Object.getOwnPropertyNames(Object.getPrototypeOf(calls))
        .filter((name) => name !== 'constructor')
        .sort(),
    ]);
    expect(documented).toEqual(actual);
  });

  test('success: a new call gets a generated method, under its own name', () => {
    const document = structuredClone(apiDocument()) as unknown as Document;
    const read = document.paths['/registry/v1/accounts/balance']?.get;
    const paths = {
      '/registry/v1/fees': { get: { ...read, operationId: 'readFees', tags: ['Price list'] } },
    };
    const groups = emitGroups({ ...document, paths } as Document);
    expect(groups).toContain('class PriceList');
    expect(groups).toContain('readFees(');
    expect(emitTypes({ ...document, paths } as Document, [])).toContain('export type ReadFeesData');
  });

  test('failure: an event without data is an error', () => {
    const schema = { type: 'object', properties: {} };
    const content = { 'application/json': { schema } };
    const webhooks = { 'domain.sung': { post: { summary: '', requestBody: { content } } } };
    expect(() => emitEvents({ ...(apiDocument() as unknown as Document), webhooks })).toThrow('has no data');
  });

  test('failure: an unsupported schema is an error', () => {
    const document = apiDocument() as unknown as Document;
    const schemas = { Strange: { type: 'tuple' } };
    expect(() => emitTypes({ ...document, paths: {}, components: { schemas } }, [])).toThrow('no type for');
  });
});
