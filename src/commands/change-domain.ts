import { withDatabase } from '../app/with-database.ts';
import { Refused } from '../operations/refusal.ts';
import { policy } from '../policy/installed.ts';
import { changeByOperator } from '../registry/domains/change-by-operator.ts';
import type { DecisionContext, Domain } from '../registry/domains/domain.ts';
import type { DomainChange } from '../registry/domains/persist.ts';
import { nameOf } from './terminal/arguments.ts';
import type { Changing } from './terminal/changing.ts';
import { CommandError } from './terminal/output.ts';

/** Changes one domain as the operator; `refused` is printed when a rule forbids the change. */
export function changeDomain(
  text: string,
  decide: (domain: Domain, context: DecisionContext) => DomainChange,
  options: Changing & { readonly refused: (domain: Domain) => string },
): Promise<Domain> {
  const name = nameOf(text);
  const decideOrTell = (domain: Domain, context: DecisionContext) => {
    try {
      return decide(domain, context);
    } catch (error) {
      throw error instanceof Refused ? new CommandError(options.refused(domain)) : error;
    }
  };
  return withDatabase(async ({ sql: db, change }) => {
    const domain = await changeByOperator(db, name, decideOrTell, change(options.reason), policy);
    if (!domain) throw new CommandError(`${name} is not registered.`);
    return domain;
  }, options);
}
