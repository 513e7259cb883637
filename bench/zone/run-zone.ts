import { machineFacts } from '../machine.ts';
import type { Bar } from '../progress.ts';
import { disturbance, machineLine, missesOf, write, writeJson } from '../report.ts';
import { aligned, asMarkdown, fixed, type Table } from '../tables.ts';
import type { Figure } from '../work.ts';
import { findPrograms, measureChain } from './chain.ts';
import { measureZone } from './zone.ts';

const CHANGES = 1_000;
/** More would be a measurement of Knot. */
const MAX_SIGNED_DELEGATIONS = 100_000;

/** What a zone of so many delegations takes, and what takes more than it may. */
export async function runZone(delegations: number, bar: Bar): Promise<readonly string[]> {
  const programs = findPrograms();
  const signed = { delegations: Math.min(delegations, MAX_SIGNED_DELEGATIONS), changes: CHANGES };
  const rows: { readonly elsewhere: number }[] = [];
  const disturbed = (elsewhere: number) => void rows.push({ elsewhere });
  const figures = [
    ...(await measureZone({ delegations, changes: CHANGES }, { bar, disturbed })),
    ...('reason' in programs ? [] : await measureChain(programs, signed, bar)),
  ];
  const table = tableOf(figures);
  console.log(aligned(table));
  const missed = missesOf(figures);
  write(
    'zone.md',
    `${[
      '# Zone',
      'Made by `npm run bench -- --zone`; [bench/notes/zones.md](notes/zones.md) tells how to read it.',
      `${machineLine()}; ${delegations} delegations with three nameservers each, every tenth signed, every twentieth with glue.`,
      ...(disturbance(rows) === undefined ? [] : [`While changes were published: ${disturbance(rows)}`]),
      asMarkdown(table),
      ...('reason' in programs ? [`Without Knot and NSD: ${programs.reason}.`] : []),
      missed.length === 0
        ? 'Every target is met.'
        : `What is not as it must be:\n\n${missed.map((line) => `- ${line}`).join('\n')}`,
    ].join('\n\n')}\n`,
  );
  writeJson('zone.json', {
    machine: machineFacts(),
    delegations,
    changes: CHANGES,
    elsewhere: rows,
    figures,
  });
  return missed;
}

const tableOf = (figures: readonly Figure[]): Table => [
  ['work', 'figure', 'measured', 'at most'],
  ...figures.map(({ work, what, value, most }) => [work, what, fixed(value, 2), String(most)]),
];
