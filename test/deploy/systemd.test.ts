import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { STOP_TIMEOUT_MS } from '../../src/app/run-until-stopped.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { ROOT, readPage } from '../docs/markdown.ts';
import { filesForThisTest } from '../support/promtool.ts';
import { findSystemdAnalyze } from '../support/systemd-analyze.ts';

const run = promisify(execFile);
/** Out of 100; an unhardened unit has 92. */
const MAX_EXPOSURE = 20;
const UNITS = ['serve', 'work'].map(
  (command) => [command, `deploy/systemd/cadastre-${command}.service`] as const,
);
const EXAMPLE = 'deploy/systemd/cadastre.env.example';
const analyzer = findSystemdAnalyze();
const skipped = 'reason' in analyzer ? ` (skipped: ${analyzer.reason})` : '';
const linesOf = (file: string) => readPage(file).split('\n');
const settingOf = (file: string, name: string) =>
  linesOf(file)
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
/** Refuses unknown settings and invalid values; the CA file of the database does not exist here. */
function readExample() {
  const folder = filesForThisTest({ settings: readPage(EXAMPLE).replace(/&sslrootcert=\S+/, '') });
  return readConfig('production', { CADASTRE_CONFIG: path.join(folder, 'settings') });
}

describe.each(UNITS)('the unit of %s', (command, file) => {
  test('success: it grants the service no unneeded right', () => {
    const lines = linesOf(file);
    for (const line of [
      ...['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'UMask=0077', 'StateDirectory=cadastre'],
      ...['ProtectSystem=strict', 'ProtectHome=yes', 'PrivateTmp=yes', 'PrivateDevices=yes'],
      ...['ProtectKernelLogs=yes', 'ProtectKernelModules=yes', 'ProtectKernelTunables=yes'],
      ...['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK', 'SystemCallFilter=@system-service'],
    ])
      expect(lines).toContain(line);
    // V8 could not compile a function.
    expect(lines.filter((line) => line.startsWith('MemoryDenyWriteExecute='))).toEqual([]);
  });

  test('success: it runs its command, and leaves the time that a stop may take', () => {
    expect(settingOf(file, 'ExecStart')).toBe(`/opt/cadastre/cadastre ${command}`);
    expect(settingOf(file, 'KillMode')).toBe('mixed');
    const { shutdownDelayMs } = readExample();
    expect(Number(settingOf(file, 'TimeoutStopSec')) * 1000).toBeGreaterThan(
      shutdownDelayMs + STOP_TIMEOUT_MS,
    );
  });

  test.skipIf('reason' in analyzer)(
    `success: systemd accepts every line of it, and rates its exposure as low${skipped}`,
    async () => {
      const [program, ...args] = 'command' in analyzer ? analyzer.command : [''];
      // It exits with 1 where the exposure is higher.
      const options = ['security', '--no-pager', '--offline=true', `--threshold=${MAX_EXPOSURE}`];
      const { stdout, stderr } = await run(program, [...args, ...options, path.join(ROOT, file)]);
      expect(stdout).toContain('Overall exposure level');
      expect(stderr).toBe('');
    },
  );
});

test('success: the two units differ in nothing but their command and its description', () => {
  const [serve, work] = UNITS.map(([, file]) =>
    linesOf(file).filter((line) => !/^(ExecStart|Description)=/.test(line)),
  );
  expect(serve).toEqual(work);
});

test('success: the example environment file has settings only, and no login that owns the schema', () => {
  const { databaseUrl, ownerUrl } = readExample();
  expect(databaseUrl).toBeDefined();
  expect(ownerUrl).toBeUndefined();
  expect(settingOf(EXAMPLE, 'CADASTRE_HOME')).toBe('/var/lib/cadastre');
});
