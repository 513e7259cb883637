import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type JobDefinition, type JobDependencies, lanesOf } from '../../src/app/job-definitions.ts';
import { readOutsideFiles } from '../../src/backup/outside-files.ts';
import { deliveryTargets } from '../../src/billing/deliveries/document-deliveries.ts';
import { runWithEnvironment } from '../../src/platform/config/command-environment.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Setting } from '../../src/platform/config/setting.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { CHECK_KINDS } from '../../src/platform/recorded-checks.ts';
import { ee } from '../../src/policy/ee.ts';
import { JOB_BOUNDS } from './job-bounds.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
const table = Object.values<Setting<unknown>>(settings);
const paths = table.flatMap(({ env, path: named }) => (named ? [{ env, ...named }] : []));

/** What a setting is called, or how it is described, where it names a place on the disk. */
const NAME_OF_PATH = /_(FILE|FILES|FOLDER|DIRECTORY|DIR|PATH|HOME)$/;
const TEXT_OF_PATH = /\b(in PEM|the (file|folder|directory|data directory|socket) (of|that|in)\b)/;

describe('what settings name and keep secret', () => {
  test('success: a setting that names a file or folder says whether backups have it', () => {
    const undeclared = table.filter(
      ({ env, about, path: named }) => !named && (NAME_OF_PATH.test(env) || TEXT_OF_PATH.test(about)),
    );
    expect(undeclared.map(({ env }) => env)).toEqual([]);
    expect(paths.length).toBeGreaterThan(7);
    for (const named of paths)
      if ('notInBackup' in named) expect(named.notInBackup, named.env).toMatch(/\w+ \w+/);
  });

  test('success: a backup has every file that a setting names, and the text of every setting', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-upkeep-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const backedUp = paths.flatMap((named) => ('inBackup' in named ? [named] : []));
    for (const { env, kind } of backedUp) {
      const place = path.join(folder, env);
      if (kind === 'folder') mkdirSync(place);
      writeFileSync(kind === 'folder' ? path.join(place, 'inside') : place, `content of ${env}`);
    }
    const texts = Object.fromEntries(table.map(({ env }) => [env, `text of ${env}`]));
    const named = Object.fromEntries(backedUp.map(({ env }) => [env, path.join(folder, env)]));
    const environment = Object.assign(Object.create(process), { env: { ...texts, ...named } });
    const files = await runWithEnvironment(environment, () =>
      readOutsideFiles(readConfig('production', named)),
    );
    const contentOf = (name: string) =>
      files.find((file) => file.name === `files/${name}`)?.content.toString();
    for (const { env, kind, inBackup } of backedUp)
      expect(contentOf(kind === 'folder' ? `${inBackup}/inside` : inBackup)).toBe(`content of ${env}`);
    for (const { env } of table)
      expect(contentOf('settings.env')).toContain(`${env}='${named[env] ?? texts[env]}'`);
  });
});

/** Every job that any installation can have. Nothing of it is run. */
function allJobs(): readonly JobDefinition[] {
  const part = {};
  const parts = {
    database: part,
    policy: ee,
    mailer: part,
    webhooks: part,
    billing: part,
    statements: part,
    senders: Object.fromEntries(deliveryTargets.map((target) => [target, part])),
    mailRetentionDays: 30,
    accountingExportAt: '19:00',
  };
  return lanesOf(parts as unknown as JobDependencies).flat();
}

/** The names in code of a table's cells in one column, below its first line. */
function namesBelow(page: string, head: string, column: number): string[] {
  const [, rest = ''] = page.split(`${head}\n`, 2);
  const rows = rest.slice(0, rest.indexOf('\n\n')).split('\n').slice(1);
  return rows.flatMap((row) =>
    Array.from((row.split('|')[column] ?? '').matchAll(/`([a-z][^`]*)`/g), ([, name = '']) => name),
  );
}

describe('what runs by itself, or is run regularly', () => {
  const page = read('docs/operate/jobs.md');
  const rules = read('deploy/prometheus/cadastre.rules.yml');

  test('success: of each job it is stated what it does, and once what bounds it', () => {
    const jobs = allJobs().map(({ name }) => name);
    expect(jobs.length).toBeGreaterThan(30);
    expect(Object.values(JOB_BOUNDS).flat().toSorted()).toEqual(jobs.toSorted());
    const heads = ['| job | how often | what it does |', '| job | how often | deletes |'];
    const described = new Set(heads.flatMap((head) => namesBelow(page, head, 1)));
    const plain = jobs.filter((name) => !name.startsWith('deliver to '));
    expect(plain.filter((name) => !described.has(name))).toEqual([]);
  });

  test('success: the jobs that delete or end something by time are those with a limit', () => {
    const lasting = allJobs().filter(({ lastingEffect }) => typeof lastingEffect === 'object');
    expect(JOB_BOUNDS['a daily limit'].toSorted()).toEqual(lasting.map(({ name }) => name).toSorted());
  });

  test('success: alerts on late and failing jobs are for every job', () => {
    for (const metric of ['due_timestamp_seconds', 'last_success_timestamp_seconds', 'failures'])
      expect(rules).toMatch(new RegExp(`max by \\(name\\) \\(cadastre_job_${metric}\\)`));
  });

  test('success: an alert tells of each regular check that is old, and of each that failed', () => {
    const watched = Array.from(
      rules.matchAll(/cadastre_check_last_success_timestamp_seconds\{kind=~?"([^"]+)"/g),
      ([, kinds = '']) => kinds.split('|'),
    ).flat();
    expect(watched.toSorted()).toEqual([...CHECK_KINDS].toSorted());
    expect(rules).toContain('max by (kind) (cadastre_check_failed) == 1');
  });
});
