import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeJob } from '../../src/app/job-descriptions.ts';
import { readOutsideFiles } from '../../src/backup/outside-files.ts';
import { runWithEnvironment } from '../../src/platform/config/command-environment.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Setting } from '../../src/platform/config/setting.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { CHECK_KINDS } from '../../src/platform/recorded-checks.ts';
import { allJobs } from '../support/all-jobs.ts';
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

describe('what runs by itself, or is run regularly', () => {
  const rules = read('deploy/prometheus/cadastre.rules.yml');

  test('success: of each job it is stated what it does, and once what bounds it', () => {
    const jobs = allJobs().map(({ name }) => name);
    expect(jobs.length).toBeGreaterThan(30);
    expect(Object.values(JOB_BOUNDS).flat().toSorted()).toEqual(jobs.toSorted());
    expect(jobs.filter((name) => describeJob(name) === null)).toEqual([]);
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
