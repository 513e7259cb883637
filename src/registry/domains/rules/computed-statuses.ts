import { textList, textObject, textOf, textOfArray } from '../../../platform/sql/json-text.ts';
import {
  compactJsonb,
  constant,
  type Fragment,
  type Inserted,
  sql,
} from '../../../platform/sql/statement.ts';
import { disputeInForce, isDisputed } from '../../names/dispute-in-force.ts';
import { NAMESERVER_LINKS } from '../readings/domain-links.ts';

const { columns, from, domainId, order } = NAMESERVER_LINKS;
/** As JSON text, or null if there are none. */
const NAMESERVERS = constant(sql`(
  select ${textList(
    textObject({
      id: sql`n.id`,
      hostname: textOf(columns.hostname),
      ipv4: textOfArray(columns.ipv4),
      ipv6: textOfArray(columns.ipv6),
    }),
    order,
  )} from ${from} where ${domainId} = d.id)`);

/** To select from: what the computed statuses of a row `d` of domains depend on, read once. */
export const stateAt = (now: Inserted): Fragment =>
  sql`(select ${isDisputed(now)} as disputed, ${NAMESERVERS} as nameservers offset 0) as state`;

/** The stored and the computed statuses, with their notes; `ok` only if there is no other. */
export const STATUSES = sql`case
    when d.statuses <> '{}' or state.disputed then ${compactJsonb(sql`d.statuses
      || case when state.disputed then '{"disputed": ""}' else '{}'::jsonb end
      || case when state.nameservers is null then '{"inactive": ""}' else '{}'::jsonb end`)}
    when state.nameservers is null then '{"inactive":""}'
    else '{"ok":""}' end`;

const HAS_NAMESERVERS = sql`exists (select from ${from} where ${domainId} = d.id)`;

/** Whether a row `d` of domains has one of these statuses, to select domains by. */
export function hasStatus(status: string, now: Date): Fragment {
  const hasDispute = sql`exists (select from ${disputeInForce(sql`d.name`, now)})`;
  if (status === 'disputed') return hasDispute;
  if (status === 'inactive') return sql`not ${HAS_NAMESERVERS}`;
  return status === 'ok'
    ? sql`d.statuses = '{}' and ${HAS_NAMESERVERS} and not ${hasDispute}`
    : sql`d.statuses ? ${status}`;
}
