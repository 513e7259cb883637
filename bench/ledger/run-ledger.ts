import { machineFacts } from '../machine.ts';
import type { Bar } from '../progress.ts';
import { disturbance, machineLine, missesOf, write, writeJson } from '../report.ts';
import { aligned, asMarkdown, fixed, type Table } from '../tables.ts';
import type { Figure } from '../work.ts';
import { measureLedger } from './ledger.ts';

/** What the check of a ledger of so many entries takes, and what takes more than it may. */
export async function runLedger(entries: number, bar: Bar): Promise<readonly string[]> {
  const { figures, elsewhere } = await measureLedger(entries, bar);
  const table = tableOf(figures);
  console.log(aligned(table));
  const missed = missesOf(figures);
  const disturbed = disturbance([{ elsewhere }]);
  write(
    'ledger.md',
    `${[
      '# Ledger',
      'Made by `npm run bench -- --ledger`; [bench/notes/ledger.md](notes/ledger.md) tells how to read it.',
      `${machineLine()}; ${entries} charges of 200 registrars, each with its change in history.`,
      ...(disturbed === undefined ? [] : [disturbed]),
      asMarkdown(table),
      missed.length === 0
        ? 'Every target is met.'
        : `What is not as it must be:\n\n${missed.map((line) => `- ${line}`).join('\n')}`,
    ].join('\n\n')}\n`,
  );
  writeJson('ledger.json', { machine: machineFacts(), entries, elsewhere, figures });
  return missed;
}

const tableOf = (figures: readonly Figure[]): Table => [
  ['work', 'figure', 'measured', 'at most'],
  ...figures.map(({ work, what, value, most }) => [work, what, fixed(value, 2), String(most)]),
];
