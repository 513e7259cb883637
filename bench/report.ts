import { writeFileSync } from 'node:fs';
import { machineFacts } from './machine.ts';
import { type Result, SOCKETS } from './measure.ts';
import type { SqlBaseline } from './sql-baseline.ts';
import { aligned, asMarkdown, fixed, megabytes, percent, type Table } from './tables.ts';
import { MAX_MEMORY, MAX_MS_AT_HALF, relativeTargets, targets } from './targets.ts';
import type { Figure } from './work.ts';

export type Row = Result & { readonly sql: SqlBaseline | undefined };
export type Size = { readonly registrars: number; readonly contacts: number; readonly domains: number };
export type Whole = {
  readonly rows: readonly Row[];
  readonly works: readonly Figure[];
  /** The most that the serving process held while the operations ran, in bytes. */
  readonly memory: number | undefined;
};

const HEAD = [
  'operation',
  'baseline/s',
  'product/s',
  'of baseline',
  'at least',
  'driver/s',
  'of driver',
  'pgbench/s',
  'p50 ms',
  'p99 ms',
  'half load p99',
  'baseline then',
  'server µs',
  'database µs',
];
const WORK_HEAD = ['work', 'figure', 'measured', 'at most'];

const leastOf = (operation: string) => targets.find((target) => target.operation === operation)?.least;

function cells({ operation, baseline, product, share, sql, atHalf, baselineAtHalf }: Row): string[] {
  const least = leastOf(operation);
  return [
    operation,
    fixed(baseline.perSecond),
    fixed(product.perSecond),
    percent(share),
    least === undefined ? '' : percent(least),
    fixed(sql?.driver),
    sql ? percent(product.perSecond / sql.driver) : '',
    fixed(sql?.pgbench),
    fixed(product.p50, 2),
    fixed(product.p99, 2),
    fixed(atHalf.p99, 2),
    fixed(baselineAtHalf.p99, 2),
    fixed(product.serverMicros),
    fixed(product.databaseMicros),
  ];
}

const EPP_HEAD = [
  'EPP command',
  'REST call over TLS',
  'REST/s',
  'EPP/s',
  'of REST',
  'at least',
  'p50 ms',
  'p99 ms',
  'half load p99',
  'REST then',
  'REST server µs',
  'server µs',
  'REST database µs',
  'database µs',
];

function eppCells({
  operation,
  restCall = '',
  baseline,
  product,
  share,
  atHalf,
  baselineAtHalf,
}: Row): string[] {
  const least = leastOf(operation);
  return [
    operation,
    restCall,
    fixed(baseline.perSecond),
    fixed(product.perSecond),
    percent(share),
    least === undefined ? '' : percent(least),
    fixed(product.p50, 2),
    fixed(product.p99, 2),
    fixed(atHalf.p99, 2),
    fixed(baselineAtHalf.p99, 2),
    fixed(baseline.serverMicros),
    fixed(product.serverMicros),
    fixed(baseline.databaseMicros),
    fixed(product.databaseMicros),
  ];
}

/** One table for each baseline; none without rows. */
function tablesOf(rows: readonly Row[]): Table[] {
  const ofEpp = rows.filter(({ restCall }) => restCall !== undefined);
  const others = rows.filter(({ restCall }) => restCall === undefined);
  return [
    ...(others.length > 0 ? [[HEAD, ...others.map(cells)]] : []),
    ...(ofEpp.length > 0 ? [[EPP_HEAD, ...ofEpp.map(eppCells)]] : []),
  ];
}
const worksTableOf = (works: readonly Figure[]): Table => [
  WORK_HEAD,
  ...works.map(({ work, what, value, most }) => [work, what, fixed(value, 1), String(most)]),
];

/** For the terminal. */
export function printed({ rows, works, memory }: Whole): string {
  return [
    ...tablesOf(rows).map(aligned),
    ...(works.length > 0 ? [aligned(worksTableOf(works))] : []),
    ...(memory !== undefined && rows.length > 0 ? [memoryLine(memory)] : []),
  ].join('\n\n');
}

const memoryLine = (memory: number) =>
  `The serving process held ${megabytes(memory)} at the most while the operations ran; it may hold ${megabytes(MAX_MEMORY)}.`;

/** One line for everything that is not as it must be. */
export function misses({ rows, works, memory }: Whole): string[] {
  const shares = rows.flatMap(({ operation, restCall, share }) => {
    const least = leastOf(operation);
    return least !== undefined && share < least
      ? [
          `${operation} reaches ${percent(share)} of ${restCall ?? 'the baseline'}, and must reach ${percent(least)}`,
        ]
      : [];
  });
  const slow = rows
    .filter((row) => row.atHalf.p99 > MAX_MS_AT_HALF[row.kind])
    .map(
      (row) =>
        `${row.operation}: p99 of ${fixed(row.atHalf.p99, 1)} ms at half load, and may take ${MAX_MS_AT_HALF[row.kind]} ms (the baseline took ${fixed(row.baselineAtHalf.p99, 1)} ms)`,
    );
  return [
    ...shares,
    ...relativeMisses(rows),
    ...slow,
    ...missesOf(works),
    ...((memory ?? 0) > MAX_MEMORY ? [memoryLine(memory ?? 0)] : []),
  ];
}

/** Nothing is said where one of the two was not measured. */
function relativeMisses(rows: readonly Row[]): string[] {
  const shareOf = (name: string) => rows.find(({ operation }) => operation === name)?.share ?? Number.NaN;
  return relativeTargets.flatMap(({ operation, of, least }) => {
    const reached = shareOf(operation) / shareOf(of);
    return reached < least
      ? [`${operation} reaches ${percent(reached)} of the share of ${of}, and must reach ${percent(least)}`]
      : [];
  });
}

export const missesOf = (works: readonly Figure[]): string[] =>
  works
    .filter(({ value, most }) => value > most)
    .map(
      ({ work, what, value, most }) => `${work}: ${value.toFixed(1)} ${what}, and may be ${most} at the most`,
    );

const QUIET = 0.2;

/** Said of a run during which the machine had other things to do. */
export function disturbance(rows: readonly { readonly elsewhere: number }[]): string | undefined {
  const most = Math.max(0, ...rows.map(({ elsewhere }) => elsewhere));
  if (most < QUIET) return undefined;
  return `Other programs kept up to ${most.toFixed(1)} of ${machineFacts().cores} processors busy meanwhile: these figures say little.`;
}

export function machineLine(): string {
  const { cores, processor, arch, platform, memoryGiB, node } = machineFacts();
  return `${cores} cores (${processor}, ${arch}, ${platform}), ${memoryGiB} GiB, Node ${node}`;
}

/** The two files of a whole run: one to read, one to compare with the next. */
export function writeReport(whole: Whole, seconds: number, size: Size): void {
  const { rows, works, memory } = whole;
  const disturbed = disturbance(rows);
  const missed = misses(whole);
  const page = [
    '# Benchmark',
    'Made by `npm run bench`; [bench/notes/measuring.md](notes/measuring.md) tells how to read it.',
    `${machineLine()}; ${size.domains} domains and ${size.contacts} contacts of ${size.registrars} registrars, ${SOCKETS} connections where nothing else is said, three rounds of ${seconds} s each for baseline and product in turns; the median round is shown.`,
    ...(disturbed === undefined ? [] : [disturbed]),
    ...tablesOf(rows).map(asMarkdown),
    ...(rows.some(({ sql }) => sql?.pgbench !== undefined) ? [] : ['pgbench was not installed.']),
    ...(memory === undefined ? [] : [memoryLine(memory)]),
    'What takes long by itself:',
    asMarkdown(worksTableOf(works)),
    missed.length === 0
      ? 'Every target is met.'
      : `What is not as it must be:\n\n${missed.map((line) => `- ${line}`).join('\n')}`,
  ];
  write('report.md', `${page.join('\n\n')}\n`);
  const setting = { ...size, sockets: SOCKETS, secondsPerRound: seconds };
  const results = rows.map((row) => ({ ...row, least: leastOf(row.operation) ?? null }));
  writeJson('report.json', { machine: machineFacts(), setting, memory, results, works });
}

export const write = (name: string, text: string): void =>
  writeFileSync(new URL(name, import.meta.url), text);
export const writeJson = (name: string, value: object): void =>
  write(name, `${JSON.stringify(value, rounded, 2)}\n`);
const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
