import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import { sql } from '../../platform/sql/statement.ts';

const labelNames = ['authority'];

export const certificateMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_authority_expiry_timestamp_seconds',
    help: 'When the certificate of a trusted authority expires',
    labelNames,
    query: sql`
      select name as authority, extract(epoch from min(valid_until)) as value
      from authorities where retired_at is null group by name`,
  },
  {
    name: 'cadastre_revocation_list_expiry_timestamp_seconds',
    help: 'When the last revocation list of one of our own authorities expires',
    labelNames,
    query: sql`
      select name as authority, extract(epoch from min(revocation_list_until)) as value
      from authorities where retired_at is null and own and revocation_list_until is not null group by name`,
  },
];
