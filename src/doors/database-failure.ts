import { DeadlineExceeded } from '../platform/concurrency/deadline.ts';
import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import { classifyDatabaseError, type DatabaseFailure } from '../platform/database/database-errors.ts';

/** Whether a request failed because of the database; logged and counted unless the client had disconnected. */
export function reportDatabaseFailure(
  error: unknown,
  reqId: string,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): DatabaseFailure | undefined {
  const failure = classifyDatabaseError(error);
  if (failure === undefined || (error instanceof DeadlineExceeded && error.hasClientLeft)) return failure;
  log.warn({ err: error, reqId }, 'database error');
  metrics.databaseTrouble.inc({ kind: failure });
  return failure;
}
