import {
  type BulkJob,
  type BulkJobRow,
  listBulkJobRows,
} from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { csvLine } from '../../http/csv.ts';
import type { ConsoleExport, ConsoleParts, Visit } from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { loadOwnJob } from './job-page.ts';

const PAGE = 1_000;

/** What became of every row of a job. */
export const jobExport: ConsoleExport = {
  path: '/jobs/:job/result.csv',
  right: 'objects',
  download: async (parts, visit, input) => {
    const job = await loadOwnJob(parts, visit, input);
    return (
      job && {
        fileName: `${job.kind}-${job.createdAt.toISOString().slice(0, 10)}.csv`,
        type: 'text/csv; charset=utf-8',
        pieces: lines(job, parts, visit),
      }
    );
  },
};

/** Each page is a statement of its own, so that a slow client holds no connection. */
async function* lines(job: BulkJob, { database }: ConsoleParts, visit: Visit): AsyncGenerator<string> {
  let after: number | undefined;
  yield csvLine(['domain', 'result', 'reason']);
  for (;;) {
    const rows: BulkJobRow[] = await inListTurn(
      database,
      visit.principal,
      (db) => listBulkJobRows(db, job, { size: PAGE, after }),
      { admitted: after !== undefined },
    );
    yield rows.map((row) => lineOf(row, visit)).join('');
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.position;
  }
}

const lineOf = ({ name, outcome, refusal, request }: BulkJobRow, { lang }: Visit): string => {
  const asked = request === 'open' ? 'waits for the registrant' : request;
  return csvLine([name, asked ?? outcome ?? 'waiting', refusal ? refusalText(refusal, lang) : '']);
};
