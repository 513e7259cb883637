import type { Domain } from '../domain.ts';
import { type HoldCause, withoutStatus, withStatus } from './domain-statuses.ts';

/** The same or another cause keeps the note that the status has; a note is the registry's. */
export function withHold(domain: Domain, cause: HoldCause, note?: string): Domain {
  const others = domain.holdCauses.filter((one) => one !== cause);
  const without = note === undefined ? domain.statuses : withoutStatus(domain.statuses, 'serverHold');
  return {
    ...domain,
    statuses: withStatus(without, 'serverHold', note),
    holdCauses: [...others, cause].toSorted(),
  };
}

/** Ends one cause; the hold of any other stays. */
export function withoutHold(domain: Domain, cause: HoldCause): Domain {
  if (!domain.holdCauses.includes(cause)) return domain;
  const holdCauses = domain.holdCauses.filter((one) => one !== cause);
  const { serverHold: note = '', ...rest } = domain.statuses;
  return {
    ...domain,
    statuses: holdCauses.length === 0 ? rest : { serverHold: cause === 'registry' ? '' : note, ...rest },
    holdCauses,
  };
}

/** Whether the domain is out of the zone by its dates, unless it is kept there. */
export const isOutOfZone = (
  { outzoneAt, statuses }: Pick<Domain, 'outzoneAt' | 'statuses'>,
  now: Date,
): boolean => outzoneAt !== null && outzoneAt <= now && !('serverManualInzone' in statuses);
