import { machineFacts, memoryOf } from './machine.ts';
import { SOCKETS } from './measure.ts';
import type { Operation } from './operation.ts';
import type { Bar } from './progress.ts';
import { machineLine, write, writeJson } from './report.ts';
import { type Round, runRound } from './round.ts';
import { startProduct } from './servers.ts';
import { asMarkdown, fixed, megabytes } from './tables.ts';
import { MAX_MEMORY } from './targets.ts';
import { fewRegistrars, loadWorld } from './world.ts';

const WINDOW_SECONDS = 10;
/** A garbage collector lets memory rise and fall; more than this between two thirds of the time is a trend. */
const MAX_RISE = 1.05;

type Window = Round & { readonly minute: number; readonly memory: number };

/** Full load for many minutes: the memory of the serving process must stay what it is once everything is warm. */
export async function runSoak(
  minutes: number,
  domains: number,
  mixed: Operation,
  bar: Bar,
): Promise<readonly string[]> {
  bar.say('starting the product');
  const product = await startProduct();
  try {
    const world = await loadWorld(product.database, fewRegistrars(domains, 1), bar);
    const source = {
      name: mixed.name,
      sockets: SOCKETS,
      seconds: WINDOW_SECONDS,
      next: mixed.requests(world),
    };
    const windows: Window[] = [];
    const count = Math.ceil((minutes * 60) / WINDOW_SECONDS);
    while (windows.length < count) {
      bar.show('soaking', windows.length, count);
      const round = await runRound(product, source);
      const minute = ((windows.length + 1) * WINDOW_SECONDS) / 60;
      windows.push({ ...round, minute, memory: memoryOf(product.pid)?.now ?? Number.NaN });
    }
    return tell(minutes, domains, windows, memoryOf(product.pid)?.peak ?? Number.NaN, bar);
  } finally {
    await product.stop();
  }
}

/** The first third warms up; the last is held against the middle one. */
function tell(
  minutes: number,
  domains: number,
  windows: readonly Window[],
  peak: number,
  bar: Bar,
): string[] {
  const third = Math.floor(windows.length / 3);
  const [middle, last] = [middleOf(windows.slice(third, 2 * third)), middleOf(windows.slice(2 * third))];
  const flat = last <= middle * MAX_RISE;
  const verdict = `Memory of the serving process over ${minutes} minutes: ${megabytes(peak)} at the most, ${megabytes(middle)} in the middle third, ${megabytes(last)} in the last: ${flat ? 'flat' : 'rising'}.`;
  bar.say(verdict);
  const shown = windows.filter((_, index) => index % Math.ceil(windows.length / 30) === 0);
  const page = [
    '# Soak',
    'Made by `npm run bench -- --soak`; [bench/notes/measuring.md](notes/measuring.md) tells how to read it.',
    `${machineLine()}; ${domains} domains, ${SOCKETS} connections, nine reads to one write.`,
    verdict,
    asMarkdown([
      ['minute', 'requests/s', 'p99 ms', 'memory'],
      ...shown.map(({ minute, perSecond, p99, memory }) => [
        fixed(minute, 1),
        fixed(perSecond),
        fixed(p99, 2),
        megabytes(memory),
      ]),
    ]),
  ];
  write('soak.md', `${page.join('\n\n')}\n`);
  writeJson('soak.json', { machine: machineFacts(), minutes, domains, peak, middle, last, windows });
  return [
    ...(flat ? [] : ['the memory of the serving process rises']),
    ...(peak > MAX_MEMORY
      ? [`the serving process held ${megabytes(peak)}, and may hold ${megabytes(MAX_MEMORY)}`]
      : []),
  ];
}

function middleOf(windows: readonly Window[]): number {
  const sorted = windows.map(({ memory }) => memory).toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
