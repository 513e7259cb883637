import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, readPage } from './markdown.ts';

const run = promisify(execFile);
/** Of 100; an unhardened unit has 92. */
const MAX_EXPOSURE = 20;

const unit =
  blocksOf(readPage('docs/operations.md')).find(({ text }) => text.includes('[Service]'))?.text ?? '';
const hasAnalyzer = await run('systemd-analyze', ['security', '--help']).then(
  ({ stdout }) => stdout.includes('--offline') && stdout.includes('--threshold'),
  () => false,
);

test('success: the unit of the documentation gives the service no right that it does not need', () => {
  const lines = unit.split('\n');
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

test.runIf(hasAnalyzer)('success: systemd knows every line of it, and finds it little exposed', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'cadastre.service');
  writeFileSync(file, unit);
  // It leaves with 1 where the exposure is higher.
  const { stdout, stderr } = await run('systemd-analyze', [
    ...['security', '--no-pager', '--offline=true', `--threshold=${MAX_EXPOSURE}`, file],
  ]);
  expect(stdout).toContain('Overall exposure level');
  expect(stderr).toBe('');
});
