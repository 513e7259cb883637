import { checkLedger } from '../../ledger/check.ts';
import { classifyDatabaseError } from '../../platform/sql/errors.ts';
import { fine, type InsideCheck, problem, warning } from './check.ts';

export const ledgerCheck: InsideCheck = {
  name: 'ledger',
  async examine({ sql: db }) {
    try {
      const findings = await checkLedger(db);
      return findings.length === 0
        ? [fine('clean')]
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
