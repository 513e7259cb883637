import { readFileSync } from 'node:fs';
import { costOf } from './round.ts';
import { aligned, fixed, percent } from './tables.ts';

type Round = {
  readonly perSecond: number;
  readonly p99: number;
  readonly serverMicros?: number;
  readonly databaseMicros?: number;
};
type Report = {
  readonly results: readonly {
    readonly operation: string;
    readonly share: number;
    readonly product: Round;
  }[];
};

const HEAD = ['operation', 'of baseline', '', 'requests/s', '', 'change', 'p99 ms', '', 'µs', '', 'change'];
const change = (before: number, after: number) =>
  Number.isFinite(after / before)
    ? `${after >= before ? '+' : ''}${fixed((after / before - 1) * 100)} %`
    : '';

/** Two reports side by side, the older one first; what only one of them has is left out. */
export function compared(before: Report, after: Report): string {
  const known = new Map(before.results.map((result) => [result.operation, result]));
  const rows = after.results.flatMap(({ operation, share, product }) => {
    const old = known.get(operation);
    if (!old) return [];
    const [was, is] = [old.product, product];
    return [
      [
        operation,
        percent(old.share),
        percent(share),
        fixed(was.perSecond),
        fixed(is.perSecond),
        change(was.perSecond, is.perSecond),
        fixed(was.p99, 2),
        fixed(is.p99, 2),
        fixed(costOf(was)),
        fixed(costOf(is)),
        change(costOf(was), costOf(is)),
      ],
    ];
  });
  return aligned([HEAD, ...rows]);
}

if (import.meta.main) {
  const [before, after = new URL('report.json', import.meta.url)] = process.argv.slice(2);
  if (before === undefined) {
    console.error('npm run bench:compare -- <older report.json> [<newer report.json>]');
    process.exit(1);
  }
  const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8')) as Report;
  console.log(compared(read(before), read(after)));
}
