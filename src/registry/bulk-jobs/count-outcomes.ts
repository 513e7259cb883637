import type { Metrics } from '../../platform/metrics.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import type { BulkKind } from './bulk-job.ts';

export type BulkJobMetrics = Pick<Metrics, 'bulkJobsBegun' | 'bulkJobsFinished' | 'bulkJobRows'>;

const OUTCOMES = ['changed', 'unchanged', 'refused'] as const;

/** What a batch has done. */
export type BatchOutcome = {
  readonly kind: BulkKind;
  readonly results: readonly Pick<RowResult, 'outcome'>[];
  /** The job has no further rows. */
  readonly isLast: boolean;
};

/** After it was committed. */
export function countBatch(metrics: BulkJobMetrics, { kind, results, isLast }: BatchOutcome): void {
  for (const result of OUTCOMES) {
    const count = results.filter(({ outcome }) => outcome === result).length;
    if (count > 0) metrics.bulkJobRows.inc({ kind, result }, count);
  }
  if (isLast) metrics.bulkJobsFinished.inc({ kind });
}

/** With the rows that were refused when the list was checked. */
export function countBegun(
  metrics: BulkJobMetrics,
  { kind, refused }: { readonly kind: BulkKind; readonly refused: number },
): void {
  metrics.bulkJobsBegun.inc({ kind });
  if (refused > 0) metrics.bulkJobRows.inc({ kind, result: 'refused' }, refused);
}
