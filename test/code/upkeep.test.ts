import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOutsideFiles } from '../../src/backup/outside-files.ts';
import { runWithEnvironment } from '../../src/platform/config/command-environment.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Setting } from '../../src/platform/config/setting.ts';
import { settings } from '../../src/platform/config/settings.ts';

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
