import { checkLedger } from '../ledger/check.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import { sql } from '../platform/sql/statement.ts';
import { policy } from '../policy/installed.ts';
import { dayOf } from '../registry/domains/periods.ts';
import { type DatabaseCheck, ok, problem, warning } from './check.ts';

export const ledgerCheck: DatabaseCheck = {
  name: 'ledger',
  async examine({ sql: db }) {
    try {
      const findings = await checkLedger(db);
      return findings.length === 0
        ? [ok('clean')]
        : [
            problem(
              `It disagrees in ${findings.length} places.`,
              'See them with cadastre ledger check; nobody should correct anything before it is understood.',
            ),
          ];
    } catch (error) {
      if (classifyDatabaseError(error) !== 'busy') throw error;
      return [
        warning(
          'It is too large to be checked within the time of a statement.',
          'Run cadastre ledger check with a larger STATEMENT_TIMEOUT_MS.',
        ),
      ];
    }
  },
};

export const pricesCheck: DatabaseCheck = {
  name: 'prices',
  async examine({ sql: db, now }) {
    const zones = policy.zones.map(({ origin }) => origin);
    const missing = await db.rows(sql<{ zone: string; operation: string }>`
      select zone, operation from unnest(${zones}::text[]) with ordinality as z(zone, position), unnest(array['create', 'renew']) as operation
      where not exists (select from prices p where p.zone = z.zone and p.operation = operation.operation
        and p.valid_from <= ${dayOf(now, policy)}::date and (p.valid_until is null or p.valid_until > ${dayOf(now, policy)}::date))
      order by position, operation`);
    if (missing.length === 0) return [ok('every zone has some for create and renew today')];
    return missing.map(({ zone, operation }) =>
      warning(
        `Nothing can be ${operation === 'create' ? 'registered' : 'renewed'} in ${zone}: there is no price today.`,
        `Enter one, such as: cadastre price set ${zone} ${operation} 1y 9.00`,
      ),
    );
  },
};
