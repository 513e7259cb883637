import { readConfig } from '../src/platform/config/config.ts';
import type { EmbeddedAddress } from '../src/embedded-postgres/embedded-postgres.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import type { Sql } from '../src/platform/sql/executor.ts';
import type { Encoded } from '../src/platform/sql/values.ts';
import { ee } from '../src/policy/ee.ts';
import { replayed } from '../test/support/recorder.ts';
import { pgbench } from './pgbench.ts';
import { inTurn } from './requests.ts';
import { type Recorded, recordStatements, type Statement } from './statements.ts';
import type { Registrar } from './world.ts';

/** How often a second the statements of one request can be sent with nothing around them. */
export type SqlBaseline = { readonly driver: number; readonly pgbench: number | undefined };

const ASKERS = 16;
const WARM_UP_SECONDS = 0.5;

/** The same statements by the same driver, on pools like the product's, and by pgbench where there is one. */
export async function measureSql(
  operation: string,
  address: EmbeddedAddress,
  alpha: Registrar,
  seconds: number,
): Promise<SqlBaseline | undefined> {
  const recorded = await recordStatements(operation, address, alpha);
  if (recorded.length === 0) return undefined;
  const database = openDatabase(address, readConfig('sandbox', {}), ee.timeZone);
  try {
    const next = inTurn(recorded);
    const ask = async () => {
      const { statements, marks } = next();
      const own = ownText();
      for (const statement of statements) await send(database[statement.pool], statement, marks, own);
    };
    await repeat(ask, Math.min(WARM_UP_SECONDS, seconds));
    return { driver: await repeat(ask, seconds), pgbench: await pgbench(address, recorded, ASKERS, seconds) };
  } finally {
    await database.close();
  }
}

let made = 0;
/** Ten digits, as long as the shortest of what is replaced. */
const ownText = () => String(++made).padStart(10, '0');

async function repeat(ask: () => Promise<void>, seconds: number): Promise<number> {
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  const askers = Array.from({ length: ASKERS }, async () => {
    for (; performance.now() < until; count++) await ask();
  });
  await Promise.all(askers);
  return (count * 1000) / (performance.now() - started);
}

const send = (db: Sql, { text, values }: Statement, marks: Recorded['marks'], own: string) =>
  db.rows(
    replayed(
      text,
      values.map((value) => withOwn(value, marks, own)),
    ),
  );

/** The value with every mark made different from all before it. */
const withOwn = (value: Encoded, marks: readonly string[], own: string): Encoded =>
  typeof value === 'string' ? marks.reduce((changed, mark) => changed.replaceAll(mark, own), value) : value;
