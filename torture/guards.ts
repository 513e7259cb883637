import path from 'node:path';
import { doors } from './guards/doors.ts';
import { epp } from './guards/epp.ts';
import type { Guard } from './guards/guard.ts';
import { lookup } from './guards/lookup.ts';
import { money } from './guards/money.ts';
import { names } from './guards/names.ts';
import { payments } from './guards/payments.ts';

/** Every guard that protects money, names, sessions or persons. */
export const guards: readonly Guard[] = [...money, ...payments, ...names, ...doors, ...epp, ...lookup];

const link = (file: string): string => `[${path.basename(file)}](../../${file})`;

/** The list as test/torture/mutations.md shows it. */
export const guardTable = (): string =>
  [
    '| guard | without it | file | the test that fails |',
    '|---|---|---|---|',
    ...guards.map(
      ({ guard, without, file, test, named }) =>
        `| ${guard} | ${without} | ${link(file)} | ${link(test)}: ${named.replace(/^(success|failure): /, '')} |`,
    ),
  ].join('\n');
