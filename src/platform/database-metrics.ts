import { setTimeout as sleep } from 'node:timers/promises';
import { type Metrics, READING_TIMEOUT_MS } from './metrics.ts';
import { Gauge } from './prometheus.ts';
import type { Sql } from './sql/executor.ts';
import { type Fragment, sql } from './sql/statement.ts';

/** A gauge whose samples a query reads: one row each, with the column `value` and one column per label. */
export type DatabaseMetric = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly query: Fragment;
  /** Whether a sample that the query no longer returns keeps its last value. */
  readonly isKept?: boolean;
};

type Sample = { readonly value: number | null } & Readonly<Record<string, string | number | null>>;

/** Several scrapers, or one in a loop, cost one statement in this time. */
const MAX_AGE_MS = 1_000;

/**
 * Reads all of them in one statement per scrape. Every process reports the same values: take the maximum, not the sum.
 * While the database does not answer a metric without labels is NaN, and one with labels has no samples.
 */
export function registerInDatabase(metrics: Metrics, db: Sql, definitions: readonly DatabaseMetric[]): void {
  const read = cached(async () => (await db.one(statementOf(definitions))).metrics);
  for (const [index, definition] of definitions.entries()) {
    const { name, help, labelNames = [] } = definition;
    new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics.registry],
      async collect() {
        show(this, definition, (await read())?.[index]);
      },
    });
  }
}

function statementOf(definitions: readonly DatabaseMetric[]) {
  const [first = sql``, ...others] = definitions.map(
    ({ query }) => sql`(select coalesce(json_agg(sample), '[]') from (${query}) as sample)`,
  );
  const all = others.reduce((list, one) => sql`${list}, ${one}`, first);
  return sql<{ metrics: Sample[][] }>`select json_build_array(${all}) as metrics`;
}

function show(gauge: Gauge, { labelNames = [], isKept }: DatabaseMetric, samples: Sample[] | undefined) {
  if (labelNames.length > 0 && !isKept) gauge.reset();
  if (labelNames.length === 0) {
    // A gauge without labels and without a value would be shown as 0.
    if (samples?.length === 0) gauge.remove();
    else gauge.set(samples?.[0]?.value ?? Number.NaN);
    return;
  }
  for (const { value, ...labels } of samples ?? [])
    if (value !== null) gauge.set(withoutNulls(labels), value);
}

const withoutNulls = (labels: Readonly<Record<string, string | number | null>>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value ?? '']));

/** The last result while it is recent, or the reading in progress; undefined if it fails or takes too long. */
function cached<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  let isPending = false;
  let readAt = 0;
  return () => {
    if (reading === undefined || (!isPending && performance.now() > readAt + MAX_AGE_MS)) {
      isPending = true;
      reading = read()
        .catch(() => undefined)
        .finally(() => {
          isPending = false;
          readAt = performance.now();
        });
    }
    return Promise.race([reading, sleep(READING_TIMEOUT_MS, undefined, { ref: false })]);
  };
}
