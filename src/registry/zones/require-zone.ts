import type { Refusal } from '../../operations/refusal.ts';
import type { Policy, Zone } from '../../policy/policy.ts';
import { refusal, refuse } from '../operator-refusals.ts';

export const findZone = (origin: string, { zones }: Policy): Zone | undefined =>
  zones.find((zone) => zone.origin === origin);

const originsOf = ({ zones }: Policy): string => zones.map(({ origin }) => origin).join(', ');

export const zoneUnknown = (zone: string, policy: Policy): Refusal =>
  refusal('zoneUnknown', { zone, zones: originsOf(policy) });

/** The zone of the registry that an operator names by its origin. */
export const requireZone = (zone: string, policy: Policy): Zone =>
  findZone(zone, policy) ?? refuse('zoneUnknown', { zone, zones: originsOf(policy) });
