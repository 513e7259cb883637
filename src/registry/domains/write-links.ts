import { sql } from '../../platform/sql/statement.ts';
import { type Part, part, parts } from '../../platform/sql/with.ts';
import {
  addLinks,
  changeLinks,
  type LinksOfDomain,
  linksMissingIn,
  removeLinks,
} from './domain-contact-links.ts';
import type { Nameserver } from './rules/parse-nameservers.ts';

type Change = { readonly before: LinksOfDomain; readonly after: LinksOfDomain };

/** Parts of a persisting statement: the differences of the links of the domains of the part called `changed`. */
export function writeLinks(changes: readonly Change[]) {
  const each = changes.map(differenceOf);
  return parts(
    removeLinks(each.map(({ removed }) => removed)),
    addLinks(each.map(({ added }) => added)),
    exchangeNameservers(each.flatMap(({ exchange }) => exchange ?? [])),
    changeLinks(changes),
  );
}

type Exchange = { readonly of: string; readonly gone: string; readonly next: Nameserver };
type Difference = {
  readonly removed: LinksOfDomain;
  readonly added: LinksOfDomain;
  /** One nameserver for another, which is then neither removed nor added. */
  readonly exchange?: Exchange;
};

function differenceOf({ before, after }: Change): Difference {
  const [removed, added] = [linksMissingIn(before, after), linksMissingIn(after, before)];
  const [gone, next] = [removed.nameservers[0], added.nameservers[0]];
  const isOneForOne = removed.nameservers.length === 1 && added.nameservers.length === 1;
  if (!isOneForOne || !gone || !next) return { removed, added };
  return {
    removed: { ...removed, nameservers: [] },
    added: { ...added, nameservers: [] },
    exchange: { of: before.name, gone: gone.hostname, next },
  };
}

/**
 * The row of the one becomes that of the other: half the work of a deletion and an insertion, and one mark for the zone.
 * It gets the next id, since what is added comes last.
 */
function exchangeNameservers(
  exchanges: readonly Exchange[],
): Part<'nameservers_exchanged', 'changed'> | undefined {
  if (exchanges.length === 0) return undefined;
  return part(
    'nameservers_exchanged',
    ['changed'],
    sql`
      update domain_nameservers n set id = default, hostname = w.hostname, ipv4 = string_to_array(w.ipv4, ' '), ipv6 = string_to_array(w.ipv6, ' ')
      from changed, unnest(${exchanges.map(({ of }) => of)}::text[], ${exchanges.map(({ gone }) => gone)}::text[], ${exchanges.map(({ next }) => next.hostname)}::text[],
        ${exchanges.map(({ next }) => next.ipv4.join(' '))}::text[], ${exchanges.map(({ next }) => next.ipv6.join(' '))}::text[]) as w(name, gone, hostname, ipv4, ipv6)
      where changed.name = w.name and n.domain_id = changed.id and n.hostname = w.gone`,
  );
}
