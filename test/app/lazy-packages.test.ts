import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const source = (name: string) => new URL(`../../src/app/${name}`, import.meta.url).href;

/** Packages that some processes never use: docs/decisions/0116-what-a-start-loads.md. */
const LAZY = [
  '@opentelemetry/api',
  '@peculiar/x509',
  '@simplewebauthn/server',
  'cockatiel',
  'fontkit',
  'highlight.js',
  'jose',
  'libxml2-wasm',
  'marked',
  'minisearch',
  'nodemailer',
  'openid-client',
  'pdfkit',
  'qr',
];

/** The packages that a process loads with these modules, and whether it loads undici, which Node has built in. */
async function loadedWith(modules: readonly string[]): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const packages = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
        if (name !== undefined) packages.add(name);
        return next(url, context);
      },
    });
    for (const url of ${JSON.stringify(modules)}) await import(url);
    if (process.moduleLoadList.some((name) => name.includes('undici'))) packages.add('undici');
    process.stdout.write(JSON.stringify([...packages]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
}

describe.concurrent('the start of a process loads no package that it may never use', () => {
  test('success: serve', async ({ expect }) => {
    const loaded = await loadedWith([source('production.ts'), source('start-doors.ts')]);
    expect(loaded).toContain('fastify');
    expect(loaded.filter((name) => name === 'undici' || LAZY.includes(name))).toEqual([]);
  });

  test('success: work, which has no API either', async ({ expect }) => {
    const loaded = await loadedWith([source('production.ts')]);
    expect(loaded).toContain('pg');
    expect(loaded.filter((name) => ['undici', 'fastify', 'ajv', 'saxes', ...LAZY].includes(name))).toEqual(
      [],
    );
  });
});

test('success: every package that is loaded lazily is installed', async () => {
  for (const name of LAZY) expect(import.meta.resolve(name), name).toMatch(/node_modules/);
});
