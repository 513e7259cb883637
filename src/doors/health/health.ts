import type { FastifyInstance } from 'fastify';
import type { Mode } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { isStandbyMissing, readReplication } from '../../platform/database/replication.ts';
import { isSchemaFit } from '../../platform/migrations/schema-fit.ts';
import { sql } from '../../platform/sql/statement.ts';

export type HealthDependencies = {
  readonly reads: Sql;
  readonly mode: Mode;
  readonly version: string;
  readonly isStopping: () => boolean;
  /** Whether this is a copy that nothing leaves. */
  readonly isStaging: () => boolean;
  /** The fault of the clock; undefined if there is none. */
  readonly clockFault: () => string | undefined;
};

const CHECK_TIMEOUT_MS = 2_000;

/** /health: this process can query its database. /ready: it can serve requests. Both run a real query. */
export function healthRoutes(app: FastifyInstance, parts: HealthDependencies): void {
  const { reads, mode, version, isStopping, clockFault, isStaging } = parts;
  const copy = () => (isStaging() ? { copy: 'staging' } : {});
  app.get('/health', { exposeHeadRoute: true }, async (_request, reply) => {
    const database = await within(
      CHECK_TIMEOUT_MS,
      reads.rows(sql`select 1`).then(() => true),
    );
    return reply.code(database ? 200 : 503).send({
      status: database ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'away',
      mode,
      version,
      ...copy(),
    });
  });
  app.get('/ready', { exposeHeadRoute: true }, async (_request, reply) => {
    const [migrated, isReadWrite, replication] = await Promise.all([
      within(CHECK_TIMEOUT_MS, isSchemaFit(reads)),
      within(CHECK_TIMEOUT_MS, acceptsWrites(reads)),
      within(CHECK_TIMEOUT_MS, readReplication(reads)),
    ]);
    const clock = clockFault() ?? 'ok';
    const standbyMissing = replication && isStandbyMissing(replication);
    // A missing standby makes no process unready: all have the same database, and reads are answered.
    const ready = migrated && isReadWrite && !isStopping() && clock === 'ok';
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      // Unknown while the database is away.
      migrated: migrated ?? null,
      writable: isReadWrite === true && standbyMissing === false,
      standby: replication?.isStandby ?? null,
      standbyMissing: standbyMissing ?? null,
      stopping: isStopping(),
      clock,
      ...copy(),
    });
  });
}

/** A standby is read-only, and so is a server that was set to read-only. */
async function acceptsWrites(reads: Sql): Promise<boolean> {
  const { readOnly } = await reads.one(
    sql<{ readOnly: string }>`select current_setting('transaction_read_only') as "readOnly"`,
  );
  return readOnly === 'off';
}

/** Undefined where the check failed or took longer. */
async function within<T>(ms: number, check: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([check.catch(() => undefined), timeout]).finally(() => clearTimeout(timer));
}
