import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

/** Requests that were answered as done and of which the database knows nothing, by who made them. */
export type LostRequests = {
  readonly registrar: string;
  readonly user: string;
  readonly request: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
};

type LogLine = {
  readonly time: string;
  readonly reqId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly user?: string;
  readonly registrar?: string;
};

const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Compares the log of a server with history: a write that was answered after the recovery point and has no row in
 * history is lost, or had no effect (a dry run, a repeated key). Names are not in the log; the registrar knows them.
 */
export async function findLostRequests(
  db: Sql,
  files: readonly string[],
  recoveryPoint: Date,
): Promise<LostRequests[]> {
  const answered = new Map<string, LogLine>();
  for (const file of files)
    for await (const line of createInterface({
      input: createReadStream(file),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const entry = readLine(line);
      if (entry && isDone(entry) && new Date(entry.time) >= recoveryPoint) answered.set(entry.reqId, entry);
    }
  const known = await db.rows(sql<{ id: string }>`
    select distinct request_id as id from history where request_id = any(${[...answered.keys()]}::text[])`);
  for (const { id } of known) answered.delete(id);
  return summarise([...answered.values()]);
}

function readLine(line: string): LogLine | undefined {
  if (!line.includes('"msg":"request"')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined; // cut off by the failure
  }
}

const isDone = ({ method, status }: LogLine): boolean =>
  !READS.includes(method) && status >= 200 && status < 300;

function summarise(lines: readonly LogLine[]): LostRequests[] {
  const groups = Map.groupBy(
    lines.toSorted((a, b) => a.time.localeCompare(b.time)),
    ({ registrar, user, method, route }) => JSON.stringify([registrar, user, method, route]),
  );
  return [...groups.values()].map((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return {
      registrar: first?.registrar ?? '-',
      user: first?.user ?? '-',
      request: `${first?.method} ${first?.route}`,
      count: group.length,
      first: first?.time ?? '',
      last: last?.time ?? '',
    };
  });
}
