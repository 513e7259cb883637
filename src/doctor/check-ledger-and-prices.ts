import { checkLedgerInRanges, type LedgerCheck } from '../ledger/check-ledger.ts';
import { loadCheck, type StoredCheck } from '../ledger/check-position.ts';
import { readHorizon } from '../ledger/check-statements.ts';
import { classifyDatabaseError } from '../platform/database/database-errors.ts';
import { sql } from '../platform/sql/statement.ts';
import { policy } from '../policy/installed.ts';
import { dayOf } from '../registry/domains/rules/periods.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

/** A ledger up to this entry is checked as a whole, in some seconds; of a larger one what the last check has not seen. */
const MAX_WHOLE_ENTRIES = 200_000;
const LEDGER_TIME_LIMIT_MS = 10_000;

export const ledgerCheck: DatabaseCheck = {
  name: 'ledger',
  async examine({ sql: db }) {
    const { entryId: last } = await readHorizon(db);
    const since = last > MAX_WHOLE_ENTRIES ? await loadCheck(db) : undefined;
    const end = performance.now() + LEDGER_TIME_LIMIT_MS;
    try {
      const check = await checkLedgerInRanges(db, { from: since, isOver: () => performance.now() > end });
      return [ledgerFinding(check, since)];
    } catch (error) {
      if (classifyDatabaseError(error) !== 'busy') throw error;
      return [
        warning(
          'A part of it could not be checked within the time of a statement.',
          'Run cadastre ledger check with a larger STATEMENT_TIMEOUT_MS.',
        ),
      ];
    }
  },
};

export function ledgerFinding(
  { findingCount, entries, isComplete }: LedgerCheck,
  since: StoredCheck | undefined,
): Finding {
  if (findingCount > 0)
    return problem(
      `It disagrees in ${findingCount} places.`,
      'See them with cadastre ledger check; nobody should correct anything before it is understood.',
    );
  const before = since && `${since.entries} before them on ${since.checkedAt.toISOString()}`;
  if (!isComplete)
    return warning(
      `Not all of it could be checked within ${LEDGER_TIME_LIMIT_MS / 1000} s: ${entries} entries were${before ? `, and ${before}` : ''}.`,
      'Run cadastre ledger check daily; the doctor then checks what is new.',
    );
  return ok(
    before
      ? `clean: ${entries} entries were checked, and ${before}`
      : `clean: all ${entries} entries were checked`,
  );
}

const WORDS = { create: 'registered', renew: 'renewed' } as const;

export const pricesCheck: DatabaseCheck = {
  name: 'prices',
  async examine({ sql: db, now }) {
    const zones = policy.zones.map(({ origin }) => origin);
    const missing = await db.rows(sql<{ zone: string; operation: keyof typeof WORDS }>`
      select zone, operation from unnest(${zones}::text[]) with ordinality as z(zone, position), unnest(array['create', 'renew']) as operation
      where not exists (select from prices p where p.zone = z.zone and p.operation = operation.operation
        and p.valid_from <= ${dayOf(now, policy)}::date and (p.valid_until is null or p.valid_until > ${dayOf(now, policy)}::date))
      order by position, operation`);
    if (missing.length === 0) return [ok('every zone has some for create and renew today')];
    const operationsOf = Map.groupBy(missing, ({ zone }) => zone);
    const alike = Map.groupBy(operationsOf, ([, lacks]) =>
      lacks.map(({ operation }) => WORDS[operation]).join(' or '),
    );
    return [...alike].map(([what, zones]) =>
      warning(
        `Nothing can be ${what} in ${zones.map(([zone]) => zone).join(', ')}: there is no price today.`,
        `Enter one, such as: cadastre price set ${zones[0]?.[0]} ${zones[0]?.[1][0]?.operation} 1y 9.00`,
      ),
    );
  },
};
