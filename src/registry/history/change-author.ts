import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** Who makes changes besides the users and people of a registrar; `automatic` is the registry without anybody acting. */
export type Author = 'registry' | 'registrant' | 'automatic';

/** Of an actor as history writes it; null for a user or person of a registrar. Names of the registry's staff are its own affair. */
export const authorKind = (actor: Fragment): Fragment => sql`
  case when ${actor} ~ '^(user|epp|person):' then null when ${actor} = 'registrant' then 'registrant'
    when ${actor} = 'registry' then 'automatic' else 'registry' end`;
