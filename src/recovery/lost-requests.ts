import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

/** How much of the logs was understood. */
export type LogCounts = { readonly lines: number; readonly requests: number };

/** A log without a request, which would look as if nothing were lost. */
export class LogNotUnderstood extends Error {
  override name = 'LogNotUnderstood';
}

/** A request that was answered as done and of which the database knows nothing. */
export type LostRequest = {
  readonly registrar: string;
  readonly user: string;
  readonly time: string;
  readonly request: string;
  /** X-Request-Id of the answer, or its svTRID. */
  readonly id: string;
};

/** Such requests by who made them. */
export type LostRequests = {
  readonly registrar: string;
  readonly user: string;
  readonly request: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
};

type Caller = {
  readonly time: string;
  readonly reqId: string;
  readonly user?: string;
  readonly registrar?: string;
};
type HttpLine = Caller & {
  readonly msg: 'request';
  readonly method: string;
  readonly route: string;
  readonly status: number;
};
type EppLine = Caller & {
  readonly msg: 'EPP command';
  readonly command: string;
  readonly write: boolean;
  readonly code: number;
};
type LogLine = HttpLine | EppLine;

const READS = ['GET', 'HEAD', 'OPTIONS'];
/** The first code of EPP that is a refusal. */
const FIRST_REFUSAL = 2000;
const CONSOLE = '/console/';
/** How the console answers a form that was carried out; with 200 it shows a preview or refusals. */
const SEE_OTHER = 303;

/**
 * Compares the log of a server with history: a write that was answered after the recovery point and has no row in
 * history is lost, or had no effect (a dry run, a repeated key). Names are not in the log; the registrar knows them.
 */
export async function findLostRequests(
  db: Sql,
  files: readonly string[],
  recoveryPoint: Date,
): Promise<{ readonly log: LogCounts; readonly lostRequests: LostRequest[] }> {
  const answered = new Map<string, LogLine>();
  const log = { lines: 0, requests: 0 };
  for (const file of files) {
    const { lines, requests } = await readLog(file, (entry) => {
      if (isDoneWrite(entry) && new Date(entry.time) >= recoveryPoint) answered.set(entry.reqId, entry);
    });
    log.lines += lines;
    log.requests += requests;
  }
  const known = await db.rows(sql<{ id: string }>`
    select distinct request_id as id from history where request_id = any(${[...answered.keys()]}::text[])`);
  for (const { id } of known) answered.delete(id);
  const lostRequests = [...answered.values()]
    .map(describe)
    .toSorted((a, b) => a.registrar.localeCompare(b.registrar) || a.time.localeCompare(b.time));
  return { log, lostRequests };
}

async function readLog(file: string, onRequest: (entry: LogLine) => void): Promise<LogCounts> {
  const counts = { lines: 0, requests: 0 };
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      counts.lines++;
      const entry = readLine(line);
      if (!entry) continue;
      counts.requests++;
      onRequest(entry);
    }
  } catch (error) {
    throw new LogNotUnderstood(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (counts.requests > 0) return counts;
  throw new LogNotUnderstood(
    `None of the ${counts.lines} lines of ${file} is a request that serve has logged. Give its log uncompressed, from the journal by journalctl -o cat, and leave out files without requests.`,
  );
}

/** Journals and containers write a prefix before each line. */
function readLine(line: string): LogLine | undefined {
  if (!line.includes('"msg":"request"') && !line.includes('"msg":"EPP command"')) return undefined;
  try {
    return JSON.parse(line.slice(line.indexOf('{'))) as LogLine;
  } catch {
    return undefined; // cut off by the failure
  }
}

function isDoneWrite(line: LogLine): boolean {
  if (line.msg === 'EPP command') return line.write && line.code < FIRST_REFUSAL;
  const { method, route, status, registrar } = line;
  if (READS.includes(method)) return false;
  if (route.startsWith(CONSOLE)) return status === SEE_OTHER && registrar !== undefined;
  return status >= 200 && status < 300;
}

const requestOf = (line: LogLine): string =>
  line.msg === 'EPP command' ? `EPP ${line.command}` : `${line.method} ${line.route}`;

const describe = (line: LogLine): LostRequest => ({
  registrar: line.registrar ?? '-',
  user: line.user ?? '-',
  time: line.time,
  request: requestOf(line),
  id: line.reqId,
});

export function summariseLostRequests(requests: readonly LostRequest[]): LostRequests[] {
  const groups = Map.groupBy(requests, ({ registrar, user, request }) =>
    JSON.stringify([registrar, user, request]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    const { registrar, user, request, time } = first;
    return { registrar, user, request, count: group.length, first: time, last: last.time };
  });
}
