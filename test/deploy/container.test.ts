import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { STOP_TIMEOUT_MS } from '../../src/app/run-until-stopped.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { blocksOf, ROOT, readPage } from '../docs/markdown.ts';
import { commandIn, debianPackages } from '../support/debian-packages.ts';
import { findHaproxy } from '../support/haproxy.ts';
import { programFiles } from '../support/program-files.ts';

const run = promisify(execFile);
const FOLDER = 'deploy/container';
const page = blocksOf(readPage('docs/operations.md'));
const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line));
const shown = (mark: string) => linesOf(page.find(({ text }) => text.includes(mark))?.text);

/** Docker Compose 2.26, as Debian 13 has it: it examines a file without an engine. */
const compose = debianPackages('trixie', 'docker-compose', ['libc6']);
const haproxy = findHaproxy();
const because = (found: object) => ('reason' in found ? ` (skipped: ${String(found.reason)})` : '');

describe('the Containerfile', () => {
  const instructions = linesOf(readPage(`${FOLDER}/Containerfile`).replaceAll('\\\n', ' '));
  const copied = instructions
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

  test('success: all that it copies exists, and nothing else enters the build', () => {
    expect(copied.filter((source) => !existsSync(path.join(ROOT, source)))).toEqual([]);
    const allowed = linesOf(readPage('.dockerignore')).flatMap((line) => /^!(.*)$/.exec(line)?.[1] ?? []);
    expect(linesOf(readPage('.dockerignore'))[0]).toBe('*');
    expect(new Set(allowed)).toEqual(new Set(copied));
  });

  test('success: it copies every file that the program reads, and installs every package', () => {
    const { files, packages } = programFiles();
    // The fonts are resolved, the migrations and a schema are read, the version is imported.
    expect(packages).toContain('dejavu-fonts-ttf');
    expect([...files]).toEqual(
      expect.arrayContaining([
        'migrations',
        'package.json',
        'schemas/e-invoice-1.2.xsd',
        'src/app/program.ts',
      ]),
    );
    const isCopied = (file: string) =>
      copied.some((source) => file === source || file.startsWith(`${source}/`));
    expect([...files].filter((file) => !isCopied(file))).toEqual([]);
    const { dependencies } = JSON.parse(readPage('package.json')) as { dependencies: object };
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
  });

  test('success: the program runs as an ordinary account', () => {
    const last = instructions.lastIndexOf('USER cadastre');
    expect(last).toBeGreaterThan(instructions.findLastIndex((line) => line.startsWith('RUN ')));
  });
});

describe('the proxy and the pooler', () => {
  test('success: haproxy has every line of docs/operations.md but the addresses', () => {
    const own = linesOf(readPage(`${FOLDER}/haproxy.cfg`));
    expect(
      shown('backend cadastre').filter((line) => !line.startsWith('server ') && !own.includes(line)),
    ).toEqual([]);
  });

  test.skipIf('reason' in haproxy)(`success: haproxy accepts its file${because(haproxy)}`, async () => {
    const [program, ...args] = commandIn('root' in haproxy ? haproxy.root : '', 'usr/sbin/haproxy');
    await run(program, [...args, '-c', '-f', path.join(ROOT, FOLDER, 'haproxy.cfg')]);
  });

  test('success: PgBouncer has the settings of docs/operations.md but the addresses', () => {
    const withoutAddresses = (lines: readonly string[]) =>
      lines.filter((line) => !/^(cadastre|listen_addr|auth_file) =/.test(line));
    const own = withoutAddresses(linesOf(readPage(`${FOLDER}/pgbouncer/pgbouncer.ini`)));
    expect(own).toEqual(withoutAddresses(shown('[databases]')));
    expect(own.length).toBeGreaterThan(8);
  });
});

type Service = {
  readonly command: readonly string[] | null;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly ports?: readonly { readonly host_ip?: string }[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
};

test.skipIf('reason' in compose)(
  `success: Compose accepts its file, which migrates first and has a health check for all else${because(compose)}`,
  async () => {
    const [program, ...args] = commandIn('root' in compose ? compose.root : '', 'usr/bin/docker-compose');
    const inFolder = (name: string) => path.join(ROOT, FOLDER, name);
    const options = ['-f', inFolder('compose.yml'), '--env-file', inFolder('example.env')];
    const { stdout, stderr } = await run(program, [...args, ...options, 'config', '--format', 'json']);
    expect(stderr).toBe('');
    const { services } = JSON.parse(stdout) as { readonly services: Readonly<Record<string, Service>> };
    const { migrate, ...others } = services;
    expect(migrate).toMatchObject({ command: ['migrate'], restart: 'no' });
    for (const service of Object.values(others))
      expect(service).toMatchObject({ healthcheck: expect.anything(), restart: 'unless-stopped' });

    const own = Object.values(others).filter(
      ({ environment }) => environment && 'DATABASE_URL' in environment,
    );
    expect(own.map(({ command }) => command?.[0]).sort()).toEqual(['serve', 'serve', 'work']);
    for (const { environment = {}, depends_on, stop_grace_period } of own) {
      expect(depends_on?.migrate?.condition).toBe('service_completed_successfully');
      expect(environment).not.toHaveProperty('DATABASE_OWNER_URL');
      const { shutdownDelayMs } = readConfig('production', environment);
      expect(Number.parseInt(stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
        shutdownDelayMs + STOP_TIMEOUT_MS,
      );
    }
    // Only the proxy can be reached from outside, and only from this machine until there is TLS.
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map(({ host_ip }) => `${name} ${host_ip}`),
    );
    expect(published).toEqual(['haproxy 127.0.0.1']);
  },
);
