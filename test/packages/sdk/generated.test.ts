import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../../packages/sdk/package.json' with { type: 'json' };
import { Registry, VERSION } from '../../../packages/sdk/src/index.ts';
import type { Document } from '../../../scripts/sdk/calls.ts';
import { emitGroups, emitTypes } from '../../../scripts/sdk/emit.ts';
import { emitEvents } from '../../../scripts/sdk/emit-events.ts';
import { generateSdk } from '../../../scripts/sdk/generate.ts';
import { version } from '../../../src/platform/version.ts';
import { apiDocument } from '../../support/endpoints.ts';
import { buildInto, SDK } from '../packed.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

describe('the generated files of packages/sdk', () => {
  test('success: they are the output of npm run sdk:generate', () => {
    for (const [file, code] of generateSdk())
      expect(readFileSync(path.join(ROOT, file), 'utf8'), `${file}: run npm run sdk:generate`).toBe(code);
  });

  test('success: what is built are the present sources', async () => {
    const place = await mkdtemp(path.join(os.tmpdir(), 'cadastre-sdk-'));
    onTestFinished(() => rm(place, { recursive: true }));
    await buildInto(place, 'sdk');
    const [built, fresh] = [path.join(SDK, 'dist'), path.join(place, 'node_modules/cadastre-sdk/dist')];
    const files = (await readdir(fresh, { recursive: true })).sort();
    expect((await readdir(built, { recursive: true })).sort()).toEqual(files);
    for (const file of files.filter((name) => /\.(js|ts)$/.test(name)))
      expect(readFileSync(path.join(built, file), 'utf8'), `${file}: run npm run sdk:generate`).toBe(
        readFileSync(path.join(fresh, file), 'utf8'),
      );
  });

  test('success: the client sends the version of its package, which is that of the registry', () => {
    expect([VERSION, manifest.version]).toEqual([version, version]);
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
    expect(groups).toContain('readFees<');
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
