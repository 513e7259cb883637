import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requirePorts } from '../../src/app/door-ports.ts';
import { DOORS, isPublicDoor } from '../../src/app/product-dependencies.ts';
import { STOP_TIMEOUT_MS } from '../../src/app/run-until-stopped.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { ROOT, readPage } from '../docs/markdown.ts';
import { shownBlock } from '../docs/operator-pages.ts';
import { commandIn, debianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { findHaproxy, runHaproxy } from '../support/haproxy.ts';
import { programFiles } from '../support/program-files.ts';
import { filesForThisTest } from '../support/promtool.ts';

const run = promisify(execFile);
const FOLDER = 'deploy/container';
const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line));
const shown = (mark: string) => linesOf(shownBlock(mark)?.text);

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
  test('success: haproxy has every line of docs/operate/restart.md but the addresses', () => {
    const own = linesOf(readPage(`${FOLDER}/haproxy.cfg`));
    expect(
      shown('backend cadastre').filter((line) => !line.startsWith('server ') && !own.includes(line)),
    ).toEqual([]);
  });

  test.skipIf('reason' in haproxy)(`success: haproxy accepts its file${because(haproxy)}`, async () => {
    const [program, ...args] = commandIn('root' in haproxy ? haproxy.root : '', 'usr/sbin/haproxy');
    await run(program, [...args, '-c', '-f', path.join(ROOT, FOLDER, 'haproxy.cfg')]);
  });

  test.skipIf('reason' in haproxy)(
    `success: haproxy sends look-ups to the public process and all else to the others, with the address of the connection${because(haproxy)}`,
    async () => {
      const [backends, port] = [await startBackends(), await freePort()];
      const url = `http://127.0.0.1:${port}`;
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const reply = await fetch(url + path, { headers });
        return { status: reply.status, text: await reply.text() };
      };
      const lines = readPage(`${FOLDER}/haproxy.cfg`)
        .replace('bind :8080', `bind 127.0.0.1:${port}`)
        .replaceAll('inter 1s', 'inter 100ms')
        .replace('timeout check 2s', 'timeout check 200ms')
        .replaceAll(/^( +server \w+) (serve-one|serve-two|public):8080/gm, (_line, server, name) =>
          [server, `127.0.0.1:${backends.ports.get(name)}`].join(' '),
        );
      const isUp = () =>
        ask('/registry/v1').then(
          ({ status }) => status === 200,
          () => false,
        );
      onTestFinished(await runHaproxy('root' in haproxy ? haproxy.root : '', lines.split('\n'), isUp));
      // A busy machine can let a check of a server time out.
      const expectServedBy = (path: string, name: RegExp) =>
        expect
          .poll(async () => (await ask(path)).text.split(' ', 1)[0], { message: path, timeout: 10_000 })
          .toMatch(name);
      for (const path of [
        '/',
        '/rdap',
        '/rdap/',
        '/rdap/domain/a.ee',
        '/lookup',
        '/lookup/',
        '/lookup?name=a',
      ])
        await expectServedBy(path, /^public$/);
      for (const path of [
        '/registry/v1/x',
        '/console',
        '/confirm/x',
        '/rdapx',
        '/lookups',
        '/docs',
        '/x/rdap/',
      ])
        await expectServedBy(path, /^serve-(one|two)$/);

      const claims = { 'x-forwarded-for': '198.51.100.9', ssl_client_cert: 'stolen' };
      for (const path of ['/rdap/help', '/registry/v1/x'])
        expect((await ask(path, claims)).text).toMatch(/ forwarded=127\.0\.0\.1 certificate=undefined$/);

      backends.hang('public');
      // Sent before haproxy has noticed: it is not left to wait for the 25 seconds of an answer.
      const waiting = ask('/rdap/help').catch(() => ({ status: 'closed' }));
      expect((await ask('/registry/v1/x')).status).toBe(200);
      expect((await waiting).status).not.toBe(504);
      expect((await ask('/rdap/help')).status).toBe(503);
      expect((await ask('/registry/v1/x')).status).toBe(200);
    },
  );

  test('success: PgBouncer has the settings of docs/operate/database.md but the addresses', () => {
    const withoutAddresses = (lines: readonly string[]) =>
      lines.filter((line) => !/^(cadastre|listen_addr|auth_file) =/.test(line));
    const own = withoutAddresses(linesOf(readPage(`${FOLDER}/pgbouncer/pgbouncer.ini`)));
    expect(own).toEqual(withoutAddresses(shown('[databases]')));
    expect(own.length).toBeGreaterThan(8);
  });
});

/** Servers that say which one they are, and what they were told of the client. */
async function startBackends() {
  const ports = new Map<string, number>();
  const hanging = new Set<string>();
  for (const name of ['serve-one', 'serve-two', 'public']) {
    const server = createServer(({ headers }, answer) => {
      if (hanging.has(name)) return;
      answer.end(`${name} forwarded=${headers['x-forwarded-for']} certificate=${headers.ssl_client_cert}`);
    });
    const port = await freePort();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    ports.set(name, port);
  }
  return { ports, hang: (name: string) => void hanging.add(name) };
}

type Service = {
  readonly command: readonly string[] | null;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly ports?: readonly { readonly host_ip?: string }[];
  readonly mem_limit?: string;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly restart?: string;
  readonly stop_grace_period?: string;
};

const composeFile = (name: string) => path.join(ROOT, FOLDER, name);
/** What Compose makes of its file with these values. */
function composeConfig(environment: string) {
  const [program, ...args] = commandIn('root' in compose ? compose.root : '', 'usr/bin/docker-compose');
  const options = ['-f', composeFile('compose.yml'), '--env-file', environment];
  return run(program, [...args, ...options, 'config', '--format', 'json']);
}

test.skipIf('reason' in compose)(
  `failure: Compose refuses the example as it is, and with any of its values missing${because(compose)}`,
  async () => {
    await expect(composeConfig(composeFile('example.env'))).rejects.toThrow(
      /required variable \w+ is missing a value/,
    );
    const filled = filledExample();
    const names = Array.from(
      readPage(`${FOLDER}/example.env`).matchAll(/^(\w+)=$/gm),
      ([, name = '']) => name,
    );
    expect(names).toHaveLength(5);
    for (const name of names) {
      const folder = filesForThisTest({ env: filled.replace(new RegExp(`^${name}=.*`, 'm'), `${name}=`) });
      await expect(composeConfig(path.join(folder, 'env'))).rejects.toThrow(
        `required variable ${name} is missing a value`,
      );
    }
  },
);

/** With the values that an operator fills in. */
const filledExample = (): string =>
  readPage(`${FOLDER}/example.env`).replaceAll(/^(\w+)=$/gm, '$1=0123456789abcdef');

const isSecret = (name: string): boolean =>
  Object.values(settings).some(({ env, secret }) => env === name && secret === true);

test.skipIf('reason' in compose)(
  `success: Compose accepts its file, which migrates first and has a health check for all else${because(compose)}`,
  async () => {
    const { stdout, stderr } = await composeConfig(
      path.join(filesForThisTest({ env: filledExample() }), 'env'),
    );
    expect(stderr).toBe('');
    const { services } = JSON.parse(stdout) as { readonly services: Readonly<Record<string, Service>> };
    const { migrate, ...others } = services;
    expect(migrate).toMatchObject({ command: ['migrate'], restart: 'no' });
    for (const service of Object.values(others))
      expect(service).toMatchObject({ healthcheck: expect.anything(), restart: 'unless-stopped' });

    const own = Object.values(others).filter(
      ({ environment }) => environment && 'DATABASE_URL' in environment,
    );
    expect(own.map(({ command }) => command?.[0]).sort()).toEqual(['serve', 'serve', 'serve', 'work']);
    for (const [name, doors] of [
      ['serve-one', DOORS.filter((door) => !isPublicDoor(door))],
      ['serve-two', DOORS.filter((door) => !isPublicDoor(door))],
      ['public', DOORS.filter(isPublicDoor)],
    ] as const) {
      const { command, environment = {}, mem_limit } = services[name] ?? {};
      expect(command?.[2]?.split(',').toSorted()).toEqual(doors.toSorted());
      expect(() => requirePorts(doors, readConfig('production', environment))).not.toThrow();
      expect(Number(mem_limit)).toBeGreaterThan(500_000_000);
    }
    // Strangers talk to it.
    expect(Object.keys(services.public?.environment ?? {}).filter((name) => isSecret(name))).toEqual([
      'DATABASE_URL',
    ]);
    // Nobody else in the network can say which client it speaks for.
    const address = services.haproxy?.networks?.default?.ipv4_address;
    for (const { environment = {} } of own) expect(environment.TRUSTED_PROXIES).toBe(`${address}/32`);
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
