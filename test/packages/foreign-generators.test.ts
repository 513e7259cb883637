import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CACHE } from '../support/debian-packages.ts';
import { documentsByName } from '../support/endpoints.ts';
import { run } from './packed.ts';

/** What every generated client is used for: a call, its data, and the names of its refusals. */
const useOf = (imported: string, call: string, refusal: string) => `${imported}
const contact = {
  id: 'mari', name: 'Mari Maasikas', email: 'mari@example.ee', phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;
const { data, error } = await ${call};
export const code: string | undefined = data?.data.contact.code;
export const isTaken = (name: ${refusal}) => name === 'contactCodeTaken';
if (error && 'errors' in error)
  for (const { reason } of error.errors) {
    if (reason === 'contactCodeTaken') isTaken(reason);
    // @ts-expect-error no call has this refusal
    if (reason === 'contactSings') isTaken(reason);
  }
`;

type Generator = {
  readonly name: string;
  readonly packages: readonly string[];
  /** The command that generates the types of a document. */
  readonly generate: (document: string, name: string) => readonly string[];
  readonly use: string;
  readonly compilerOptions: readonly string[];
};

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    generate: (document, name) => [
      'node_modules/openapi-typescript/bin/cli.js',
      document,
      '-o',
      `out/${name}/index.ts`,
    ],
    use: useOf(
      `import createClient from 'openapi-fetch';
import type { components, paths } from './out/registrar/index.ts';
const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });`,
      "client.POST('/registry/v1/contacts', { body: { contact } })",
      "components['schemas']['CreateContactRefusal']",
    ),
    compilerOptions: ['--module', 'nodenext'],
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@6.0.3'],
    generate: (document, name) => [
      'node_modules/@hey-api/openapi-ts/bin/run.js',
      '-i',
      document,
      '-o',
      `out/${name}`,
    ],
    use: useOf(
      "import { createContact, type CreateContactRefusal } from './out/registrar/index.ts';",
      'createContact({ body: { contact } })',
      'CreateContactRefusal',
    ),
    compilerOptions: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  },
];

const STRICT = [
  '--noEmit',
  '--strict',
  '--allowImportingTsExtensions',
  ...['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
];

/** A generator and the compiler that it needs, from the package registry; cached for the next run. */
async function installed({ name, packages }: Generator): Promise<{ modules: string } | { reason: string }> {
  const folder = path.join(CACHE, name.replace('/', '-'));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  return run('npm', ['install', ...options, ...packages], { cwd: folder }).then(
    () => ({ modules: path.join(folder, 'node_modules') }),
    (error: Error) => ({ reason: `no ${name}: ${error.message.split('\n')[0]}` }),
  );
}

/** Generates a client of each API into a folder of its own, and returns what its compiler complains about. */
async function complaintsAbout(
  { generate, use, compilerOptions }: Generator,
  modules: string,
): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-generated-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(modules, path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const node = (words: readonly string[]) => run(process.execPath, words, { cwd: folder });
  const clients: string[] = [];
  for (const [name, document] of Object.entries(documentsByName())) {
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify(document));
    await node(generate(`${name}.json`, name));
    clients.push(`out/${name}/index.ts`);
  }
  await writeFile(path.join(folder, 'use.ts'), use);
  const options = [...STRICT, ...compilerOptions];
  return node(['node_modules/typescript/bin/tsc', ...options, 'use.ts', ...clients]).then(
    ({ stdout }) => String(stdout),
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

describe('clients that the generators of others make', () => {
  test.for(GENERATORS)('success: those of $name type-check', async (generator, { skip }) => {
    const found = await installed(generator);
    if ('reason' in found) return skip(found.reason);
    expect(await complaintsAbout(generator, found.modules)).toBe('');
  });
});
