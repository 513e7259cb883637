import { ClockWrong } from '../platform/checked-clock.ts';
import { ConfigError } from '../platform/config.ts';
import { EmbeddedError } from '../platform/database/embedded.ts';
import { MigrationError } from '../platform/database/migrate.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import { CommandError } from './output.ts';

/** What went wrong, for a person: one sentence where we know it, else all there is. */
export function explain(error: unknown): string {
  if (
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof ClockWrong ||
    error instanceof MigrationError ||
    error instanceof EmbeddedError
  )
    return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `The port is taken (${message}). Set PORT to another one.`;
  if (classifyDatabaseError(error) === 'unavailable') return `The database cannot be reached (${message}).`;
  if (/cadastre_app.*does not exist/.test(message))
    return 'The database has no schema yet; run cadastre migrate first.';
  if (message.includes('cadastre_app'))
    return `The login may not act as cadastre_app (${message}); see docs/operations.md.`;
  return error instanceof Error ? (error.stack ?? message) : message;
}
