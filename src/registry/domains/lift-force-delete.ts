import { refuse } from '../operator-refusals.ts';
import { message } from '../poll/send-messages.ts';
import { domainByOperator, statusesOf } from './domain-by-operator.ts';
import { withoutForceDelete } from './rules/force-delete.ts';

/** The domain is as it was before its force delete. */
export const liftForceDelete = domainByOperator(
  { name: 'lift force delete', refusals: ['forceDeleteMissing'] },
  (domain, { name }: { readonly name: string }) => {
    if (!domain.forceDelete) refuse('forceDeleteMissing', { name });
    return {
      operation: 'lift force delete',
      before: domain,
      after: withoutForceDelete(domain),
      messages: [message('force_delete_lifted', domain)],
    };
  },
  statusesOf,
);
