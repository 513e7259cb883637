import { execFile } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { requirePorts } from '../../src/app/door-ports.ts';
import { DOORS, isPublicDoor } from '../../src/app/product-dependencies.ts';
import { STOP_TIMEOUT_MS } from '../../src/app/run-until-stopped.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { ROOT, readPage } from '../docs/markdown.ts';
import { filesForThisTest } from '../support/promtool.ts';
import { findSystemdAnalyze } from '../support/systemd-analyze.ts';

const run = promisify(execFile);
/** What a process that serves may take while it is attacked. */
const MAX_ATTACKED_MEGABYTES = 400;
/** Out of 100; an unhardened unit has 92. */
const MAX_EXPOSURE = 20;
const unit = (name: string) => `deploy/systemd/cadastre-${name}.service`;
const UNITS = [
  ['serve', 'serve --doors registrar,reservation,billing,confirmation,console,epp', unit('serve')],
  ['public', 'serve --doors rdap,lookup,dns,whois', unit('public')],
  ['work', 'work', unit('work')],
] as const;
/** What a timer runs, and how often. */
const CHECKS = [
  ['backup', 'backup create /var/lib/cadastre-backups', /^\*-\*-\* /],
  ['restore-drill', 'backup drill /var/lib/cadastre-backups', /^Sun /],
  ['doctor', 'doctor', /^\*-\*-\* /],
  ['ledger-check', 'ledger check', /^\*-\*-\* /],
] as const;
const timer = (name: string) => `deploy/systemd/cadastre-${name}.timer`;
const NO_UNNEEDED_RIGHT = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'UMask=0077',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'SystemCallFilter=@system-service',
];
const BACKUP_EXAMPLE = 'deploy/systemd/backup.env.example';
const EXAMPLE = 'deploy/systemd/cadastre.env.example';
const PUBLIC_EXAMPLE = 'deploy/systemd/public.env.example';
const analyzer = findSystemdAnalyze();
const skipped = 'reason' in analyzer ? ` (skipped: ${analyzer.reason})` : '';
const linesOf = (file: string) => readPage(file).split('\n');
const settingOf = (file: string, name: string) =>
  linesOf(file)
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
/** Refuses unknown settings and invalid values; the CA file of the database does not exist here. */
function readExample(text = readPage(EXAMPLE)) {
  const folder = filesForThisTest({ settings: text.replaceAll(/&sslrootcert=\S+/g, '') });
  return readConfig('production', { CADASTRE_CONFIG: path.join(folder, 'settings') });
}
/** As systemd reads the two files: a later assignment overrides an earlier one. */
function readPublicExample() {
  const lines = new Map(
    [...linesOf(EXAMPLE), ...linesOf(PUBLIC_EXAMPLE)].map((line) => [line.split('=', 1)[0], line]),
  );
  return readExample([...lines.values()].join('\n'));
}

describe.each(UNITS)('the unit of %s', (_name, command, file) => {
  test('success: it grants the service no unneeded right', () => {
    const lines = linesOf(file);
    for (const line of [...NO_UNNEEDED_RIGHT, 'Restart=always']) expect(lines).toContain(line);
    // V8 could not compile a function.
    expect(lines.filter((line) => line.startsWith('MemoryDenyWriteExecute='))).toEqual([]);
  });

  test('success: it runs its command, and leaves the time that a stop may take', () => {
    expect(settingOf(file, 'ExecStart')).toBe(`/opt/cadastre/cadastre ${command}`);
    expect(settingOf(file, 'ExecReload')).toBe('/bin/kill -HUP $MAINPID');
    expect(settingOf(file, 'KillMode')).toBe('mixed');
    const { shutdownDelayMs } = readExample();
    expect(Number(settingOf(file, 'TimeoutStopSec')) * 1000).toBeGreaterThan(
      shutdownDelayMs + STOP_TIMEOUT_MS,
    );
  });

  test.skipIf('reason' in analyzer)(
    `success: systemd accepts every line of it, and rates its exposure as low${skipped}`,
    () => expectLowExposure(file),
  );
});

async function expectLowExposure(file: string): Promise<void> {
  const [program, ...args] = 'command' in analyzer ? analyzer.command : [''];
  // It exits with 1 where the exposure is higher.
  const options = ['security', '--no-pager', '--offline=true', `--threshold=${MAX_EXPOSURE}`];
  const { stdout, stderr } = await run(program, [...args, ...options, path.join(ROOT, file)]);
  expect(stdout).toContain('Overall exposure level');
  expect(stderr).toBe('');
}

describe.each(CHECKS)('the timer of %s', (name, command, calendar) => {
  test('success: it runs its command once, as often as alerts expect, and makes up for a missed time', () => {
    const lines = linesOf(unit(name));
    expect(settingOf(unit(name), 'ExecStart')).toBe(`/opt/cadastre/cadastre ${command}`);
    for (const line of [...NO_UNNEEDED_RIGHT, 'Type=oneshot', 'User=cadastre']) expect(lines).toContain(line);
    expect(lines.filter((line) => /^Restart=|^\[Install\]|^MemoryDenyWriteExecute=/.test(line))).toEqual([]);
    expect(settingOf(timer(name), 'OnCalendar')).toMatch(calendar);
    expect(linesOf(timer(name))).toEqual(
      expect.arrayContaining(['Persistent=true', 'WantedBy=timers.target']),
    );
  });

  test.skipIf('reason' in analyzer)(`success: systemd rates its exposure as low${skipped}`, () =>
    expectLowExposure(unit(name)),
  );
});

describe('the timers together', () => {
  test.skipIf('reason' in analyzer)(`success: systemd accepts every line${skipped}`, async () => {
    const files = CHECKS.flatMap(([name]) => [unit(name), timer(name)]);
    // Its program is not installed here.
    const texts = files.map((file) => [
      path.basename(file),
      readPage(file).replaceAll(/^ExecStart=.*/gm, 'ExecStart=/bin/true'),
    ]);
    const folder = filesForThisTest(Object.fromEntries(texts));
    const [program, ...args] = 'command' in analyzer ? analyzer.command : [''];
    const { stderr } = await run(program, [
      ...args,
      'verify',
      '--man=no',
      '--recursive-errors=no',
      ...texts.map(([name = '']) => path.join(folder, name)),
    ]);
    expect(stderr).toBe('');
  });

  test('success: only backups and drills get the key of backups, which belongs to root, and their logins', () => {
    const withKey = [...UNITS, ...CHECKS].filter(([name]) =>
      linesOf(unit(name)).includes('LoadCredential=backup.key:/etc/cadastre/backup.key'),
    );
    expect(withKey.map(([name]) => name)).toEqual(['backup', 'restore-drill']);
    for (const [name] of withKey)
      expect(linesOf(unit(name))).toEqual(
        expect.arrayContaining([
          'EnvironmentFile=/etc/cadastre/backup.env',
          'Environment=BACKUP_KEY_FILE=%d/backup.key',
        ]),
      );
    expect(linesOf(unit('public'))).toContain('InaccessiblePaths=-/var/lib/cadastre-backups');
    const { backupUrl, drillUrl, backupKeyFile } = readExample(readPage(EXAMPLE) + readPage(BACKUP_EXAMPLE));
    expect([backupUrl, drillUrl].every(Boolean)).toBe(true);
    expect(backupKeyFile).toBeUndefined();
  });
});

describe('old backups', () => {
  const DAY_MS = 86_400_000;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const nameOf = (days: number) =>
    `cadastre-${daysAgo(days).toISOString().slice(0, 10)}T03-00-00Z.tar.gz.age`;
  /** Those that the unit leaves of daily backups that are as old as this, by the clock that it has. */
  async function leftOf(ages: readonly number[], clockAheadDays = 0): Promise<string[]> {
    const folder = filesForThisTest(
      Object.fromEntries([...ages.map(nameOf), 'notes'].map((name) => [name, ''])),
    );
    for (const days of ages) {
      const at = daysAgo(days + clockAheadDays);
      utimesSync(path.join(folder, nameOf(days)), at, at);
    }
    const [, script = ''] =
      /^\/bin\/sh -c '(.*)'$/.exec(settingOf(unit('backup'), 'ExecStartPost') ?? '') ?? [];
    await run('/bin/sh', ['-c', script.replace('/var/lib/cadastre-backups', folder)]);
    return readdirSync(folder).sort();
  }
  const upTo = (days: number) => Array.from({ length: days + 1 }, (_, age) => age);
  const withNotes = (ages: readonly number[]) => [...ages.map(nameOf), 'notes'].sort();

  test('success: they are deleted after 30 days', async () => {
    expect(await leftOf(upTo(40))).toEqual(withNotes(upTo(30)));
    expect(await leftOf([])).toEqual(['notes']);
  });

  test('failure: not the newest 14, which a clock that is ahead makes old', async () => {
    expect(await leftOf(upTo(20), 420)).toEqual(withNotes(upTo(13)));
  });
});

describe('the units together', () => {
  /** Without what a unit has on purpose, comments and empty lines. */
  const commonLines = (name: string) =>
    linesOf(unit(name)).filter(
      (line) =>
        !/^(?:$|#|Description=|ExecStart=|Memory|OOMPolicy=|CPUWeight=|UnsetEnvironment=)/.test(line) &&
        !/^(?:EnvironmentFile=.*public\.env|StateDirectory|InaccessiblePaths=)/.test(line),
    );
  const doorsOf = (name: string) =>
    settingOf(unit(name), 'ExecStart')?.split('--doors ')[1]?.split(',') ?? [];

  test('success: they differ in nothing but their command, their settings, and what the public one is denied', () => {
    expect(commonLines('serve')).toEqual(commonLines('work'));
    expect(commonLines('public')).toEqual(commonLines('work'));
    for (const name of ['serve', 'work']) expect(linesOf(unit(name))).toContain('StateDirectory=cadastre');
  });

  test('success: each door is in one of the two that serve, and what strangers use in the public one', () => {
    expect(doorsOf('public').toSorted()).toEqual(DOORS.filter(isPublicDoor).toSorted());
    expect([...doorsOf('serve'), ...doorsOf('public')].toSorted()).toEqual(DOORS.toSorted());
  });

  test('success: one that takes too much memory is ended and started again', () => {
    for (const name of ['serve', 'public']) {
      const megabytes = Number(/^(\d+)M$/.exec(settingOf(unit(name), 'MemoryMax') ?? '')?.[1]);
      expect(megabytes).toBeGreaterThan(MAX_ATTACKED_MEGABYTES);
      expect(megabytes).toBeLessThanOrEqual(2 * MAX_ATTACKED_MEGABYTES);
      expect(linesOf(unit(name))).toEqual(
        expect.arrayContaining(['MemorySwapMax=0', 'StartLimitIntervalSec=0']),
      );
    }
  });

  test('success: the public one sees neither the keys of authorities nor a secret that it does not use', () => {
    const lines = linesOf(unit('public'));
    const unset = lines.flatMap((line) => /^UnsetEnvironment=(.*)/.exec(line)?.[1]?.split(' ') ?? []);
    const secrets = Object.values(settings).flatMap(({ env, secret }) => (secret ? [env] : []));
    const used = ['DATABASE_URL', 'DATABASE_REPLICA_URL', 'OTEL_EXPORTER_OTLP_HEADERS'];
    expect([...unset, ...used].toSorted()).toEqual(secrets.toSorted());
    expect(lines).toContain(`InaccessiblePaths=-${settingOf(EXAMPLE, 'CADASTRE_HOME')}`);
  });

  test('success: none has a port of another', () => {
    const [serve, reader] = [readExample(), readPublicExample()];
    // Metrics are 10,000 above: see metrics.ts; the worker has no port of its own and measures one higher.
    expect(reader.port).not.toBe(serve.port);
    expect(reader.port).not.toBe(serve.port + 1);
    expect([serve.metricsPort, reader.metricsPort]).toEqual([undefined, undefined]);
    expect(() => requirePorts(DOORS, { ...reader, eppPort: serve.eppPort })).not.toThrow();
  });
});

test('success: the example environment file has settings only, and no login that owns the schema', () => {
  const { databaseUrl, ownerUrl } = readExample();
  expect(databaseUrl).toBeDefined();
  expect(ownerUrl).toBeUndefined();
  expect(settingOf(EXAMPLE, 'CADASTRE_HOME')).toBe('/var/lib/cadastre');
});
