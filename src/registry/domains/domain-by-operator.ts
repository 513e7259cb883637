import { storeAnswers } from '../../operations/stored-answers.ts';
import {
  type ComposableOperation,
  type OperatorContext,
  type OperatorDescription,
  operatorOperation,
} from '../../operations/operator-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import type { Domain } from './domain.ts';
import { type DomainRow, domainValue, readDomain } from './readings/load-domain.ts';
import { type DomainChange, persistChanges } from './persist-domains.ts';
import type { DomainStatus } from './rules/domain-statuses.ts';

/** What most changes of one domain by an operator answer. */
export type StatusesOfDomain = { readonly name: string; readonly statuses: readonly DomainStatus[] };

export const statusesOf = ({ name, statuses }: Domain): StatusesOfDomain => ({
  name,
  statuses: Object.keys(statuses) as DomainStatus[],
});

/** A change of one domain by an operator, which its sponsor cannot prevent. */
export const domainByOperator = <Input extends { readonly name: string }, Answer>(
  { refusals, ...description }: Omit<OperatorDescription, 'right'>,
  decide: (domain: Domain, input: Input, context: OperatorContext) => DomainChange,
  answerOf: (after: Domain) => Answer,
): ComposableOperation<Input, Answer> =>
  operatorOperation(
    { ...description, right: 'objects', refusals: ['domainMissing', ...refusals] },
    {
      load: (db, { name }: Input, { now }) => findDomain(db, name, now),

      decide(found, input, context) {
        const change = decide(found ?? refuse('domainMissing', { name: input.name }), input, context);
        return { ...change, answer: answerOf(change.after) };
      },

      persist(db, { answer, ...change }, context) {
        const { actor, now, reason, requestId = null } = context;
        const author = { actor, now, reason, requestId, registrarId: null };
        return persistChanges(db, [change], author, storeAnswers([{ ...context, answer }]));
      },
    },
  );

async function findDomain(db: Sql, name: string, now: Date): Promise<Domain | undefined> {
  const row = await db.maybe(sql<{ domain: DomainRow }>`
    select ${domainValue(now)} as domain from domains d where d.name = ${name}`);
  return row && readDomain(row.domain);
}
