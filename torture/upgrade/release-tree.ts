import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readMigrations, readReleases } from '../../src/platform/migrations/migration.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const OWN_MIGRATIONS = path.join(ROOT, 'migrations');
const COPIED = ['src', 'schemas', 'migrations', 'package.json', 'cadastre'];
/** Tables that requests read and write all the time: every statement that was prepared on them has to be prepared again. */
const WIDENED = [
  'registrars',
  'api_users',
  'contacts',
  'domains',
  'ledger_accounts',
  'poll_messages',
  'jobs',
];

/** This checkout, which is the release before the next one. */
export const THIS_TREE = ROOT;

/** A made-up next release: the program of this one, and migrations of every kind. */
export function makeNextRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  writeNextMigrations(path.join(folder, 'migrations'));
  return folder;
}

/**
 * The same as settings of the program in this folder, which is compiled already: in its processes the folder of
 * migrations is another one.
 */
export function nextReleaseHere(folder: string): Readonly<Record<string, string>> {
  cpSync(OWN_MIGRATIONS, folder, { recursive: true });
  writeNextMigrations(folder);
  const moved = new URL('moved-migrations.mjs', import.meta.url);
  return { NODE_OPTIONS: `--import ${moved}`, OWN_MIGRATIONS, MOVED_MIGRATIONS: folder };
}

function writeNextMigrations(folder: string): void {
  const schema = readMigrations().at(-1)?.version ?? 0;
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const migration = (next: number, name: string, text: string) =>
    write(`${String(schema + next).padStart(4, '0')}_${name}.sql`, text);
  write('releases.json', JSON.stringify([...readReleases(), { version: 'this one', schema }]));
  migration(
    1,
    'next_columns',
    WIDENED.map((table) => `alter table ${table} add column next_note text;`).join('\n'),
  );
  // Rows of servers that do not know the column are filled by its default, those from before by batches.
  migration(2, 'next_default', `alter table domains alter column next_note set default '';`);
  migration(3, 'next_index.online', 'create index concurrently domains_next_note on domains (next_note);');
  migration(
    4,
    'next_notes.online',
    `update domains set next_note = '' where id in (select id from domains where next_note is null limit 500);
     alter table domains alter column next_note set not null;`,
  );
}
