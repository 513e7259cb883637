import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { build, type Rolldown } from 'vite';
import { describe, expect, test } from 'vitest';
import { registryForThisTest } from '../../support/registry.ts';

const SOURCES = path.join(import.meta.dirname, '../../../packages/sdk/src');
const IMPORTED = /(?:^|\n)(?:import|export)\s(?!type )[^;]*?from '([^']+)'/g;

/** All modules that an entry loads, with what they import from outside of the package. */
function loadedBy(entry: string): { files: Set<string>; foreign: string[] } {
  const files = new Set([path.join(SOURCES, entry)]);
  const foreign: string[] = [];
  for (const file of files)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED))
      if (specifier.startsWith('.')) files.add(path.join(path.dirname(file), specifier));
      else foreign.push(specifier);
  return { files, foreign };
}

/** What a program on the edge of a network has: no process, no Buffer, no require. */
const WEB = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  Headers,
  performance,
  Request,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  TypeError,
  Uint8Array,
  URL,
  URLSearchParams,
};

const PROGRAM = `
import { Registry } from './fetch.ts';
import { signWebhook } from './testing.ts';
import { verifyWebhook } from './webhooks.ts';

export async function program(baseUrl) {
  const registry = new Registry({ baseUrl, username: 'alpha', password: 'alpha-sandbox-password' });
  const { data } = await registry.contacts.create({
    name: 'Mari', email: 'mari@example.ee', phone: '+372.1',
    ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
  });
  const codes = [];
  for await (const code of registry.contacts.list()) codes.push(code);
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const signed = await signWebhook({ secret, type: 'balance.low', data: { sequence: 1, message_id: 1 } });
  const { type } = await verifyWebhook({ secrets: secret, ...signed });
  const refusal = await registry.domains.read('none.ee').result();
  return { hasListed: codes.includes(data.contact.code), type, reason: refusal.refusal.reason };
}
`;

async function bundle(): Promise<string> {
  const entry = path.join(SOURCES, 'program.js');
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? PROGRAM : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'edge' },
    },
  });
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput];
  return output[0].code;
}

describe('the entries for runtimes without Node', () => {
  test.each(['fetch.ts', 'webhooks.ts', 'testing.ts'])('success: %s loads nothing of Node', (entry) => {
    const { files, foreign } = loadedBy(entry);
    expect(foreign).toEqual([]);
    for (const file of files)
      expect(readFileSync(file, 'utf8').match(/\bnode:|\bBuffer\b|\bprocess\./), file).toBeNull();
  });

  test('success: the walk finds what the other entry loads', () => {
    expect(loadedBy('index.ts').foreign).toEqual(expect.arrayContaining(['node:http', 'node:crypto']));
  });

  test('success: a program runs where there are only web interfaces', async () => {
    const { url } = await registryForThisTest();
    const context = vm.createContext({ ...WEB });
    const code = await bundle();
    vm.runInContext(`${code}\nglobalThis.edge = edge;`, context);
    const { edge } = context as { edge: { program(url: string): Promise<unknown> } };
    expect(vm.runInContext('typeof process + typeof Buffer + typeof require', context)).toBe(
      'undefined'.repeat(3),
    );
    expect(await edge.program(url)).toEqual({
      hasListed: true,
      type: 'balance.low',
      reason: 'objectMissing',
    });
  });
});
