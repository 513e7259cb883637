import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import { type Production, startProduction } from '../hostile/production.ts';
import { OtherPrograms } from '../other-programs.ts';
import type { Bar } from '../progress.ts';
import { MAX_MEMORY } from '../targets.ts';
import type { Figure } from '../work.ts';
import { MemoryWatch } from '../zone/memory-watch.ts';
import { LedgerFiller } from './ledger-filler.ts';
import { connectPlainly } from './plain-connection.ts';

const MAX_SECONDS_PER_MILLION = 20;
/** One statement that reads entries and history once and does nothing with them, without any limit. */
const MAX_TIMES_FLOOR = 25;
/** Of a day, after the whole ledger was checked. */
const NEW_ENTRIES = 10_000;
const MAX_SECONDS_OF_NEW = 5;

export type LedgerFigures = { readonly figures: readonly Figure[]; readonly elsewhere: number };

/** `cadastre ledger check` on so many entries, with the settings of every installation. */
export async function measureLedger(entries: number, bar: Bar): Promise<LedgerFigures> {
  const production = await startProduction(bar, { hasQuickPasswords: true });
  const db = await connectPlainly(production.address);
  try {
    const filler = await LedgerFiller.open(db);
    await filler.fill(entries, (filled) => bar.show('filling the ledger', filled, entries));
    const others = new OtherPrograms([], production.databasePid);
    bar.say('reading it once');
    const floor = await secondsOf(() => readOnce(db));
    const whole = await runCheck(production, ['--all'], bar);
    const elsewhere = others.end();
    await filler.fill(NEW_ENTRIES);
    const continued = await runCheck(production, [], bar);
    if (whole.entries < entries || continued.entries !== NEW_ENTRIES)
      throw new Error(`${whole.entries} and ${continued.entries} entries were checked`);
    const work = 'ledger check --all';
    const perMillion = whole.seconds / (entries / 1e6);
    return {
      figures: [
        { work, what: 'seconds a million entries', value: perMillion, most: MAX_SECONDS_PER_MILLION },
        { work, what: 'times reading them once', value: whole.seconds / floor, most: MAX_TIMES_FLOOR },
        { work, what: 'MB', value: whole.memory / 1e6, most: MAX_MEMORY / 1e6 },
        {
          work: `ledger check, ${NEW_ENTRIES} new`,
          what: 'seconds',
          value: continued.seconds,
          most: MAX_SECONDS_OF_NEW,
        },
      ],
      elsewhere,
    };
  } finally {
    await db.close();
    await production.stop();
  }
}

async function runCheck(production: Production, options: readonly string[], bar: Bar) {
  const args = ['ledger', 'check', '--json', ...options];
  bar.say(`cadastre ${args.join(' ')}`);
  const started = performance.now();
  const child = production.start(args, ['ignore', 'pipe', 'inherit']);
  const watch = new MemoryWatch(child.pid ?? 0);
  const printed = child.stdout ? text(child.stdout) : '';
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  const memory = watch.end().peak;
  if (code !== 0) throw new Error(`the check ended with ${code}: ${await printed}`);
  const { entries } = JSON.parse(await printed) as { entries: number };
  return { seconds, memory, entries };
}

const readOnce = (db: Sql) =>
  db.rows(
    sql`select count(*), sum(e.amount), max(h.operation) from ledger_entries e join history h on h.id = e.history_id`,
  );

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
