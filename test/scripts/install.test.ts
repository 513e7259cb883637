import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const directories: string[] = [];

/** Stands in for npm: writes down how it was called and makes what package-lock.json asks for. */
const fakeNpm = `
  const fs = require('node:fs');
  const settings = Object.keys(process.env).filter((name) => /^(NODE_ENV|npm_config_omit)$/i.test(name));
  fs.appendFileSync('calls', JSON.stringify({ arguments: process.argv.slice(2), settings }) + '\\n');
  if (process.env.FAKE_FAILURE) {
    console.error('npm error the registry is on holiday');
    process.exit(7);
  }
  setTimeout(() => {
    fs.rmSync('node_modules', { recursive: true, force: true });
    fs.mkdirSync('node_modules/dinner', { recursive: true });
    fs.writeFileSync('node_modules/dinner/package.json', '{}');
    if (process.env.FAKE_NODE) {
      const folder = 'node_modules/node-' + process.platform + '-' + process.arch + '/bin';
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(folder + '/node', '#!/bin/sh\\n' + process.env.FAKE_NODE + '\\n');
    }
  }, Number(process.env.FAKE_DURATION ?? 50));
`;

function makeClone({ node = '>=24.15' } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'cadastre-install-'));
  directories.push(root);
  mkdirSync(join(root, 'scripts'));
  for (const name of ['install.mjs', 'install-lock.mjs'])
    copyFileSync(join(scripts, name), join(root, 'scripts', name));
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ engines: { node }, dependencies: { dinner: '1.0.0' } }),
  );
  writeFileSync(join(root, 'npm-cli.cjs'), fakeNpm);
  writeLock(root, '1.0.0');
  return root;
}

function writeLock(root: string, version: string): void {
  const packages = { '': {}, 'node_modules/dinner': { version } };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

function begin(root: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(root, 'scripts/install.mjs')], {
    env: { ...process.env, npm_execpath: join(root, 'npm-cli.cjs'), ...env },
  });
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

function install(root: string, env?: Record<string, string>) {
  return outcome(begin(root, env));
}

function calls(root: string): { arguments: string[]; settings: string[] }[] {
  if (!existsSync(join(root, 'calls'))) return [];
  const lines = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

describe('installing', () => {
  test('success: the first start installs and the second does nothing', async () => {
    const root = makeClone();
    expect(await install(root)).toEqual({ code: 0, said: 'Installing dependencies (first start only)…\n' });
    expect(calls(root)[0]?.arguments).toEqual(expect.arrayContaining(['ci', '--ignore-scripts']));
    expect(await install(root)).toEqual({ code: 0, said: '' });
    expect(calls(root)).toHaveLength(1);
    expect(existsSync(join(root, '.install.lock'))).toBe(false);
  });

  test('success: a changed package-lock.json and a missing package each install again', async () => {
    const root = makeClone();
    await install(root);
    writeLock(root, '2.0.0');
    await install(root);
    expect(calls(root)).toHaveLength(2);
    rmSync(join(root, 'node_modules/dinner'), { recursive: true });
    await install(root);
    expect(calls(root)).toHaveLength(3);
  });

  test('success: what was installed by hand from the same lock is taken as it is', async () => {
    const root = makeClone();
    mkdirSync(join(root, 'node_modules/dinner'), { recursive: true });
    writeFileSync(join(root, 'node_modules/dinner/package.json'), '{}');
    copyFileSync(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'));
    expect(await install(root)).toEqual({ code: 0, said: '' });
    expect(calls(root)).toHaveLength(0);
  });

  test('success: surroundings that leave packages out are not passed on', async () => {
    const root = makeClone();
    await install(root, { NODE_ENV: 'production', npm_config_omit: 'dev', NPM_CONFIG_OMIT: 'optional' });
    const [call] = calls(root);
    expect(call?.settings).toEqual([]);
    expect(call?.arguments).toEqual(expect.arrayContaining(['--include=dev', '--include=optional']));
  });

  test('failure: npm’s words are shown, the code is passed on, and the next start tries again', async () => {
    const root = makeClone();
    const { code, said } = await install(root, { FAKE_FAILURE: 'yes' });
    expect(code).toBe(7);
    expect(said).toContain('npm error the registry is on holiday');
    expect((await install(root)).code).toBe(0);
  });

  test('success: a Node that npm has not linked is linked, unless it does not run', async () => {
    const [root, foreign] = [makeClone({ node: '>=99.0' }), makeClone({ node: '>=99.0' })];
    expect((await install(root, { FAKE_NODE: 'echo v99.0.0' })).code).toBe(0);
    const linked = spawnSync(join(root, 'node_modules/.bin/node'), { encoding: 'utf8' });
    expect(linked.stdout).toBe('v99.0.0\n');
    expect((await install(foreign, { FAKE_NODE: 'exit 127' })).code).toBe(1);
    expect(existsSync(join(foreign, 'node_modules/.bin/node'))).toBe(false);
  });

  test('failure: without a Node that is new enough it says what to install', async () => {
    const root = makeClone({ node: '>=99.0' });
    const { code, said } = await install(root);
    expect(code).toBe(1);
    expect(said).toContain('Cadastre needs Node 99.0 or later');
  });
});

describe('the lock', () => {
  test('success: of starts at the same time one installs and the others wait for it', async () => {
    const root = makeClone();
    const ends = await Promise.all([1, 2, 3].map(() => install(root, { FAKE_DURATION: '300' })));
    expect(ends.map((end) => end.code)).toEqual([0, 0, 0]);
    expect(calls(root)).toHaveLength(1);
  });

  test('success: the lock of a dead process is inherited by one of those who wait', async () => {
    const root = makeClone();
    const dead = spawn('true');
    await once(dead, 'exit');
    mkdirSync(join(root, '.install.lock'));
    writeFileSync(join(root, '.install.lock/pid'), String(dead.pid));
    await Promise.all([install(root), install(root)]);
    expect(calls(root)).toHaveLength(1);
  });

  test('success: a lock that was not touched for long is inherited though its number is alive', async () => {
    const root = makeClone();
    mkdirSync(join(root, '.install.lock'));
    writeFileSync(join(root, '.install.lock/pid'), String(process.pid));
    utimesSync(join(root, '.install.lock/pid'), 1, 1);
    expect((await install(root)).code).toBe(0);
  });

  test('failure: told to end, it ends npm and releases the lock', async () => {
    const root = makeClone();
    const child = begin(root, { FAKE_DURATION: '60000' });
    const ending = outcome(child);
    await vi.waitFor(() => expect(calls(root)).toHaveLength(1), { timeout: 20_000 });
    child.kill('SIGTERM');
    expect((await ending).code).toBe(143);
    expect(existsSync(join(root, '.install.lock'))).toBe(false);
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)('failure: a clone that may not be written to is named', async () => {
    const root = makeClone();
    chmodSync(root, 0o555);
    const child = spawn(process.execPath, [join(root, 'scripts/install.mjs')], { uid: 65534, gid: 65534 });
    expect((await outcome(child)).said).toContain(`${root}/ may not be written to`);
  });
});
