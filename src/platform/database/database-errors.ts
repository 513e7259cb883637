/** The meaning of a failed statement for its caller. */
export type DatabaseFailure = 'unavailable' | 'busy' | 'conflict';

/** No connection was available, so nothing was sent. If the server refused it, the code is the server's. */
export class ConnectionFailed extends Error {
  override name = 'ConnectionFailed';
  readonly code: string;
  constructor(cause: unknown, message = messageOf(cause)) {
    super(message, { cause });
    this.code = SQLSTATE.exec(codeOf(cause) ?? '')?.[0] ?? 'CONNECTION_FAILED';
  }
}

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The connection ended before the answer arrived: the statement may have been executed. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code = 'CONNECTION_LOST';
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

export type TransactionEnd = 'committed' | 'rolled back' | 'lost';

/** A statement for a transaction that has ended. It was not sent. */
export class TransactionEnded extends Error {
  override name = 'TransactionEnded';
  readonly code: 'TRANSACTION_ENDED' | 'CONNECTION_LOST';
  readonly end: TransactionEnd;
  constructor(end: TransactionEnd, cause?: unknown) {
    super(`the transaction is over: ${end}`, { cause });
    this.end = end;
    this.code = end === 'lost' ? 'CONNECTION_LOST' : 'TRANSACTION_ENDED';
  }
}

/** A statement for a transaction in which a savepoint is open. It was not sent. */
export class SavepointOpen extends Error {
  override name = 'SavepointOpen';
  constructor() {
    super('a transaction within this one is open: the statement belongs there, or after it');
  }
}

/** The server rolled back instead of committing, since a statement had failed and the failure was ignored. */
export class CommitRefused extends Error {
  override name = 'CommitRefused';
  constructor(cause?: unknown) {
    super('the transaction was rolled back instead of committed: one of its statements had failed', {
      cause,
    });
  }
}

/** What was prepared before the transaction is outdated within it: it must be prepared again. */
export class OutdatedPreparation extends Error {
  override name = 'OutdatedPreparation';
  readonly code = '40001';
}

/** A required row is missing, or there are several: a bug, never "not found". */
export class UnexpectedRows extends Error {
  override name = 'UnexpectedRows';
  readonly code = 'UNEXPECTED_ROWS';
  constructor(expected: string, found: number, text: string) {
    super(`${expected} expected, ${found} found: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`);
  }
}

/** A pooler's address was given where an exclusive session is needed. */
export class PoolerRefused extends Error {
  override name = 'PoolerRefused';
  constructor() {
    super(
      'Behind a pooler nobody can act as the owner of the schema: set DATABASE_OWNER_URL to an address of PostgreSQL itself.',
    );
  }
}

/** The server reached the end of a statement or transaction too late and rolled it back; see require_in_time. */
export const DEADLINE_PASSED = 'ZD001';

const UNAVAILABLE = new Set([
  'CONNECTION_FAILED',
  'CONNECTION_LOST',
  'UNEXPECTED_ROWS',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53100',
  '53300',
  '58030',
  '25006',
  '25P03',
  // login refused: the database is closed or missing, or does not know our login
  '55000',
  '3D000',
  '28000',
  '28P01',
]);
const BUSY = new Set(['57014', '55P03', '53200', '53400', 'DEADLINE_EXCEEDED', DEADLINE_PASSED]);
/** Unique violation, foreign key violation, serialization failure, deadlock: a concurrent transaction won. */
const CONFLICT = new Set(['23505', '23503', '40001', '40P01']);

export function classifyDatabaseError(error: unknown): DatabaseFailure | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (CONFLICT.has(code)) return 'conflict';
  if (BUSY.has(code)) return 'busy';
  return UNAVAILABLE.has(code) ? 'unavailable' : undefined;
}

const UNDEFINED_COLUMN = '42703';
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_FUNCTION = '42883';

/** A column, a table or a function is missing: the schema is older than the statement. */
export const isNotInSchema = (error: unknown): boolean =>
  [UNDEFINED_COLUMN, UNDEFINED_TABLE, UNDEFINED_FUNCTION].includes(codeOf(error) ?? '');

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A host name with several IPs fails with an AggregateError, which has no message itself. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause instanceof Error ? cause.message || (codeOf(cause) ?? cause.name) : String(cause);
}
