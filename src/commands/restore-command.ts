import { Command } from 'commander';
import { readBackupKey } from '../backup/backup-key.ts';
import { dataTimeOf } from '../backup/manifest.ts';
import type { Restored } from '../backup/restore-backup.ts';
import { readConfig } from '../platform/config/config.ts';
import { describeBackup } from './backup-command.ts';
import { type Changing, changing, printResult } from './terminal/changing.ts';
import { CommandError, print } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { requireCorrectClock } from '../platform/clock/require-correct-clock.ts';
import { findOwnerTarget, withOwner } from './terminal/with-database.ts';

export function restoreCommand(): Command {
  return changing(new Command('restore').argument('<file>'))
    .description('make an empty database a copy of the one that was backed up, and verify it')
    .option(
      '--files <folder>',
      'write keys, certificates, settings and policy of the backup into this folder',
    )
    .option('--files-only', 'only that, without a database')
    .addHelpText(
      'after',
      '\nNeeds BACKUP_KEY_FILE where the backup is encrypted. The copy neither serves nor works until cadastre staging on or cadastre recovery confirm was run on it.',
    )
    .action(async (file: string, options: Changing & { files?: string; filesOnly?: boolean }) => {
      const { restoreBackup, requireFilesAbsent, extractFiles } = await import('../backup/restore-backup.ts');
      const config = readConfig('production');
      const key = await readBackupKey(config);
      if (options.filesOnly && options.files === undefined)
        throw new CommandError('--files-only needs --files with the folder.');
      if (options.files !== undefined) await requireFilesAbsent({ file, key }, options.files);
      if (!options.filesOnly) {
        if (config.databaseUrl === undefined && config.ownerUrl === undefined)
          throw new CommandError('DATABASE_URL must be set to an empty database.');
        const target = findOwnerTarget(config);
        const now = (await withOwner((owner) => requireCorrectClock(owner, config))).now();
        const { dryRun } = options;
        const restored = await withProgress('restoring', () =>
          restoreBackup({ file, key, target, now, dryRun }),
        );
        const facts = { ...describeBackup(restored), pending: restored.pending.map(({ name }) => name) };
        if (dryRun && !options.json) print(describeDryRun(restored));
        else printResult(options, nextSteps(restored), facts);
      }
      if (options.files === undefined || options.dryRun) return;
      const written = await extractFiles({ file, key }, options.files);
      if (!options.json) print(`Written:\n${written.join('\n')}`);
    });
}

/** A dry run reads the backup and looks at the database; it restores nothing that could be verified. */
const describeDryRun = ({ manifest, rows, pending }: Restored): string =>
  [
    `Dry run: nothing was changed. The backup is whole and the database is empty: ${rows} rows of ${manifest.tables.length} tables, as of ${dataTimeOf(manifest)}, would be restored, and then verified.`,
    ...(pending.length > 0
      ? ['The schema of the backup is older than this program: cadastre migrate is to follow.']
      : []),
  ].join('\n');

const nextSteps = ({ manifest, rows, pending }: Restored): string =>
  [
    `Restored ${rows} rows of ${manifest.tables.length} tables, as of ${dataTimeOf(manifest)}. Every row, every foreign key, the identity values and the ledger were verified.`,
    ...(pending.length > 0 ? ['The schema is older than this program: run cadastre migrate.'] : []),
    'This is a copy until you say what it is: cadastre staging on, or cadastre recovery repair and cadastre recovery confirm if it replaces the original.',
  ].join('\n');
