import { BackupError } from '../../backup/backup-error.ts';
import { TransactionsOpen } from '../../ledger/transactions-open.ts';
import { Refused } from '../../operations/refusal.ts';
import { ClockWrong } from '../../platform/clock/checked-clock.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { EmbeddedError } from '../../embedded-postgres/errors.ts';
import {
  classifyDatabaseError,
  codeOf,
  isNotInSchema,
  PoolerRefused,
} from '../../platform/database/database-errors.ts';
import { MigrationError } from '../../platform/migrations/migration.ts';
import { CommandError } from './output.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** An error for the operator: one sentence where it is a known one, else all details. */
export function explain(error: unknown): string {
  if (
    error instanceof CommandError ||
    error instanceof Refused ||
    error instanceof ConfigError ||
    error instanceof ClockWrong ||
    error instanceof MigrationError ||
    error instanceof BackupError ||
    error instanceof EmbeddedError ||
    error instanceof PoolerRefused ||
    error instanceof TransactionsOpen
  )
    return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `The port is taken (${message}). Set PORT to another one.`;
  if (/startup parameter/.test(message))
    return `DATABASE_URL leads to a pooler that does not take our start parameters (${message}). Add pooler=transaction to it and run cadastre migrate; see docs/operate/database.md#pgbouncer.`;
  if (/prepared statement .* already exists/.test(message))
    return `The pooler does not tell prepared statements of several clients apart (${message}): it must be PgBouncer 1.21 or later with max_prepared_statements above zero.`;
  if (classifyDatabaseError(error) === 'unavailable') return `The database cannot be reached (${message}).`;
  if (classifyDatabaseError(error) === 'conflict')
    return `Other changes came first each time (${message}). Nothing was changed; try again.`;
  if (codeOf(error) === LOCK_NOT_AVAILABLE)
    return `Another session holds what is to be changed for longer than LOCK_TIMEOUT_MS (${message}); nothing was changed. So does a write that waits for a standby: cadastre doctor says whether one is missing.`;
  if (codeOf(error) === QUERY_CANCELED && /statement timeout/.test(message))
    return `A statement took longer than STATEMENT_TIMEOUT_MS (${message}). Set a larger one for this command if nothing else is wrong.`;
  if (/cadastre_app.*does not exist/.test(message))
    return 'The database has no schema yet; run cadastre migrate first.';
  if (isNotInSchema(error))
    return `The schema is older than this program (${message}); run cadastre migrate first.`;
  if (message.includes('cadastre_app'))
    return `The login may not act as cadastre_app (${message}); see docs/operate/install.md.`;
  return error instanceof Error ? (error.stack ?? message) : message;
}
