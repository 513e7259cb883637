import { writeFileSync } from 'node:fs';
import { machineFacts } from './machine.ts';
import { type Result, type Round, SOCKETS } from './measure.ts';
import { targets } from './targets.ts';
import type { Figure } from './work.ts';
import type { Size } from './world.ts';

const COLUMNS = [
  'operation',
  'floor/s',
  'product/s',
  'of floor',
  'at least',
  'p50 ms',
  'p99 ms',
  'server µs',
  'database µs',
];

/** One line per operation whose share of the floor is below its target. */
export function misses(results: readonly Result[]): string[] {
  return results.flatMap(({ operation, share }) => {
    const least = leastOf(operation);
    return least !== undefined && share < least
      ? [`${operation} reaches ${percent(share)} of the floor, and must reach ${percent(least)}`]
      : [];
  });
}

/** One line per figure that is larger than it may be. */
export function excesses(figures: readonly Figure[]): string[] {
  return figures
    .filter(({ value, most }) => value > most)
    .map(
      ({ work, what, value, most }) => `${work}: ${value.toFixed(1)} ${what}, and may be ${most} at the most`,
    );
}

const WORK_COLUMNS = ['work', 'figure', 'measured', 'at most'];
const workCells = ({ work, what, value, most }: Figure) => [work, what, value.toFixed(1), String(most)];

export const worksTable = (figures: readonly Figure[]): string =>
  aligned([WORK_COLUMNS, ...figures.map(workCells)]);

const QUIET = 0.2;

/** Said of a run during which the machine had other things to do. */
export function disturbance(results: readonly Result[]): string | undefined {
  const most = Math.max(0, ...results.map(({ elsewhere }) => elsewhere));
  if (most < QUIET) return undefined;
  return `Other programs kept up to ${most.toFixed(1)} of ${machineFacts().cores} processors busy meanwhile: these figures say little.`;
}

export const table = (results: readonly Result[]): string => aligned([COLUMNS, ...results.map(cells)]);

/** Columns under each other; the first is text, the others are numbers. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map(line).join('\n');
}

/** The two files of a whole run: one to read, one to compare with the next. */
export function writeReport(
  results: readonly Result[],
  works: readonly Figure[],
  seconds: number,
  size: Size,
): void {
  const machine = machineFacts();
  const { cores, processor, arch, platform, memoryGiB, node } = machine;
  const lines = [COLUMNS, COLUMNS.map((_, column) => (column === 0 ? '---' : '---:')), ...results.map(cells)];
  const disturbed = disturbance(results);
  const page = [
    '# Benchmark',
    '',
    'Made by `npm run bench`. The floor is a bare `node:http` server in a process of its own that answers the same',
    'bytes to the same client; `of floor` is what share of its rate the product reaches on the same machine.',
    'Server, database and client share the cores. Microseconds are processor time per request.',
    '',
    `${cores} cores (${processor}, ${arch}, ${platform}), ${memoryGiB} GiB, Node ${node}; ${size.domains} domains and ${size.contacts}`,
    `contacts of ${size.registrars} registrars, ${SOCKETS} connections, three rounds of ${seconds} s each for floor and product in turns; the median round is shown.`,
    '',
    ...(disturbed === undefined ? [] : [disturbed, '']),
    ...lines.map((row) => `| ${row.join(' | ')} |`),
    '',
    'What takes long by itself:',
    '',
    ...[WORK_COLUMNS, ['---', '---', '---:', '---:'], ...works.map(workCells)].map(
      (row) => `| ${row.join(' | ')} |`,
    ),
    '',
  ];
  write('report.md', page.join('\n'));
  const figures = results.map((result) => ({ ...result, least: leastOf(result.operation) ?? null }));
  const setting = { ...size, sockets: SOCKETS, secondsPerRound: seconds };
  write('report.json', `${JSON.stringify({ machine, setting, results: figures, works }, rounded, 2)}\n`);
}

const write = (name: string, text: string) => writeFileSync(new URL(name, import.meta.url), text);
const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;

const leastOf = (operation: string) => targets.find((target) => target.operation === operation)?.least;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function cells({ operation, floor, product, share }: Result): string[] {
  const least = leastOf(operation);
  return [
    operation,
    floor.perSecond.toFixed(0),
    product.perSecond.toFixed(0),
    percent(share),
    least === undefined ? '' : percent(least),
    product.p50.toFixed(2),
    product.p99.toFixed(2),
    micros(product, 'serverMicros'),
    micros(product, 'databaseMicros'),
  ];
}

const micros = (round: Round, which: 'serverMicros' | 'databaseMicros') => round[which]?.toFixed(0) ?? '';
