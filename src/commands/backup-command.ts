import { Command } from 'commander';
import type { BackupKey } from '../backup/archive.ts';
import { readBackupKey } from '../backup/backup-key.ts';
import { dataTimeOf, type Engine } from '../backup/manifest.ts';
import type { VerifiedBackup } from '../backup/verify-backup.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { codeOf } from '../platform/database/database-errors.ts';
import { version } from '../platform/version.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { withNote } from './terminal/note-check.ts';
import { CommandError, print, printFields } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { findOwnerTarget } from './terminal/with-database.ts';

const READ_ONLY_TRANSACTION = '25006';

type CreateOptions = Changing & {
  readonly plaintext?: boolean;
  readonly databaseOnly?: boolean;
  readonly engine?: string;
  readonly stale?: boolean;
};

export function backupCommand(): Command {
  const command = new Command('backup').description(
    'encrypted copies of the database and of what lies outside it',
  );
  withJson(command.command('create <file-or-folder>'))
    .description('write a backup of one moment, read it back and compare it')
    .option('--plaintext', 'not encrypted: anyone who reads the file has every key and every password hash')
    .option('--database-only', 'without keys, certificates, settings and policy')
    .option('--stale', 'also of a standby that the registry has left behind; dated by the data it has')
    .option(
      '--engine <engine>',
      'pg_dump or copy; by default pg_dump where one of a fitting version is installed',
    )
    .addHelpText(
      'after',
      '\nNeeds BACKUP_KEY_FILE. Uses BACKUP_DATABASE_URL where it is set, else DATABASE_OWNER_URL, else DATABASE_URL.',
    )
    .action(async (output: string, options: CreateOptions) => {
      const { createBackup } = await import('../backup/create-backup.ts');
      const config = readConfig('production');
      const { databaseOnly, stale } = options;
      const create = async () => {
        const key = options.plaintext ? undefined : await requireKey(config);
        return createBackup({
          target: config.backupUrl ?? findOwnerTarget(config),
          config,
          output,
          key,
          now: wallClock.now(),
          program: version,
          engine: engineOf(options.engine),
          databaseOnly,
          stale,
        });
      };
      const made = await withNote(
        'backup',
        () => withProgress('backing up', create),
        ({ manifest, file }) => ({ goodFor: new Date(dataTimeOf(manifest)), detail: file }),
      );
      printFields({ file: made.file, ...describeBackup(made) }, options.json);
    });
  withJson(command.command('verify <file-or-folder>'))
    .description(
      'read a backup, of a folder the newest one, from its first to its last byte and compare it with its checksums',
    )
    .addHelpText('after', '\nNeeds BACKUP_KEY_FILE, and no database.')
    .action(async (place: string, { json }: Changing) => {
      const { verifyBackup } = await import('../backup/verify-backup.ts');
      const { findNewestBackup } = await import('../backup/newest-backup.ts');
      const file = await findNewestBackup(place, wallClock.now());
      const key = await readBackupKey(readConfig('production'));
      const verified = await withProgress('verifying', () => verifyBackup(file, key));
      if (!json) print('The backup is whole: it was read to its end, and everything fits its checksums.');
      printFields({ file, ...describeBackup(verified) }, json);
    });
  withJson(command.command('drill <file-or-folder>'))
    .description(
      'restore a backup, of a folder the newest one, into a database for drills, and verify all of it',
    )
    .addHelpText(
      'after',
      '\nNeeds BACKUP_KEY_FILE and DRILL_DATABASE_URL, an empty database, which is empty again afterwards.',
    )
    .action(async (place: string, { json }: Changing) => {
      const { restoreBackup } = await import('../backup/restore-backup.ts');
      const { findNewestBackup } = await import('../backup/newest-backup.ts');
      const config = readConfig('production');
      const drill = async () => {
        if (config.drillUrl === undefined)
          throw new CommandError('DRILL_DATABASE_URL must be set to an empty database of its own.');
        const now = wallClock.now();
        const file = await findNewestBackup(place, now);
        const key = await readBackupKey(config);
        const order = { file, key, target: config.drillUrl, now, isDrill: true };
        return { file, ...(await restoreBackup(order).catch(rethrowReadOnly)) };
      };
      const restored = await withNote(
        'restore',
        () => withProgress('restoring', drill),
        ({ file, manifest }) => ({ detail: `${file}, as of ${dataTimeOf(manifest)}` }),
      );
      if (!json)
        print(
          `The drill has succeeded: ${restored.rows} rows of ${restored.manifest.tables.length} tables were restored and verified, and the database for drills is empty again.`,
        );
      printFields({ file: restored.file, ...describeBackup(restored) }, json);
    });
  return command;
}

function rethrowReadOnly(error: unknown): never {
  if (codeOf(error) !== READ_ONLY_TRANSACTION) throw error;
  throw new CommandError(
    'DRILL_DATABASE_URL leads to a standby, or to another server that is read-only: a drill needs one that takes writes.',
  );
}

export const describeBackup = ({ manifest, bytes, rows }: VerifiedBackup) => ({
  bytes,
  createdAt: manifest.createdAt,
  dataAt: dataTimeOf(manifest),
  program: manifest.program,
  kind: manifest.kind,
  database: manifest.database,
  postgresql: manifest.postgres,
  engine: manifest.engine,
  schemaVersion: manifest.schemaVersion,
  tables: manifest.tables.length,
  rows,
  files: manifest.files.map(({ name }) => name),
});

async function requireKey(config: Parameters<typeof readBackupKey>[0]): Promise<NonNullable<BackupKey>> {
  const key = await readBackupKey(config);
  if (key) return key;
  throw new CommandError(
    'BACKUP_KEY_FILE is not set, and a backup has every secret in it: make a key with openssl rand -base64 32, or add --plaintext.',
  );
}

function engineOf(text: string | undefined): Engine | undefined {
  if (text === undefined || text === 'copy' || text === 'pg_dump') return text;
  throw new CommandError('--engine is pg_dump or copy.');
}
