import { sql } from '../../platform/sql/statement.ts';
import { withStatus } from '../domains/statuses.ts';
import { message } from '../poll/texts.ts';
import type { Step } from './step.ts';

/** The domain leaves the zone; a renewal brings it back. */
export const outzone: Step = {
  name: 'outzone',
  due: ({ now }) => sql`
    d.outzone_at <= ${now} and not d.statuses ?| array['serverHold', 'serverManualInzone'] order by d.outzone_at`,
  next: () => sql`(
    select min(outzone_at) from domains where outzone_at is not null and not statuses ?| array['serverHold', 'serverManualInzone'])`,

  decide: (domain) => ({
    operation: 'outzone',
    before: domain,
    after: { ...domain, statuses: withStatus(domain.statuses, 'serverHold') },
    messages: [message('outzoned', domain)],
  }),
};
