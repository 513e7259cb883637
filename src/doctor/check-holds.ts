import { countHeld, findWrongHolds } from '../registry/domains/readings/held-domains.ts';
import { type DatabaseCheck, ok, problem } from './check.ts';

const MAX_NAMED = 5;

export const holdsCheck: DatabaseCheck = {
  name: 'holds',
  async examine({ sql: db }) {
    const wrong = await findWrongHolds(db, MAX_NAMED);
    if (wrong.length > 0)
      return [
        problem(
          `The causes of serverHold are recorded wrongly, of ${wrong.join(', ')} among others.`,
          'Somebody wrote with triggers disabled. Replace the rows of these domains in domain_hold_causes by one for each of their hold_causes.',
        ),
      ];
    const counts = (await countHeld(db)).map(({ cause, count }) => `${count} by ${WORDS[cause]}`);
    return [
      ok(counts.length === 0 ? 'no domain has serverHold' : `domains with serverHold: ${counts.join(', ')}`),
    ];
  },
};

const WORDS = { expiry: 'expiry or deletion', registry: 'the registry' } as const;
