import { Command } from 'commander';
import { describeConfig, type Mode, readConfig } from '../platform/config/config.ts';
import { settings } from '../platform/config/settings.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { printRows } from './terminal/output.ts';

export function settingsCommand(): Command {
  return withJson(new Command('settings'))
    .description('every setting, its present value and what it is for; secrets are not shown')
    .option('--sandbox', 'with the defaults of the sandbox')
    .action(({ sandbox, json }: Changing & { sandbox?: boolean }) => {
      const mode: Mode = sandbox ? 'sandbox' : 'production';
      const values = describeConfig(readConfig(mode));
      printRows(
        Object.values(settings).map(({ env, about }) => ({ setting: env, value: shown(values[env]), about })),
        json,
      );
    });
}

const shown = (value: unknown): string | null =>
  value === undefined ? null : Array.isArray(value) ? value.join(',') : String(value);
