import { textOf } from '../operations/refusal.ts';
import { policy } from '../policy/installed.ts';
import type { Zone } from '../policy/policy.ts';
import { isZoneOrigin, parseDomainName, parseIdn } from '../registry/names/name.ts';
import { labelOf, parentZone } from '../registry/zones/records.ts';
import { findZone, zoneUnknown } from '../registry/zones/require-zone.ts';
import { CommandError } from './terminal/output.ts';

/** As people write a name: in any case, with a final dot or without. */
export const withoutFinalDot = (text: string): string => text.trim().replace(/\.$/, '');

/** One of our zones, or an error that lists them. */
export function zoneNamed(text: string): Zone {
  const name = withoutFinalDot(text).toLowerCase();
  const zone = findZone(name, policy);
  if (zone) return zone;
  throw new CommandError(`${textOf(zoneUnknown(text, policy))}.`);
}

/** Where a name is published. */
export type NamedOwner = {
  readonly zone: string;
  /** The domain or zone, in Unicode. */
  readonly name: string;
  readonly label: string;
  /** A host below the domain, in A-labels, if the name is one. */
  readonly host?: string;
};

/** The zone in which a domain, a host below one, or a zone of ours is published, and where. */
export function ownerNamed(text: string): NamedOwner {
  const name = parseIdn(withoutFinalDot(text));
  if (!name || isZoneOrigin(name.unicode, policy)) return ownerOfZone(zoneNamed(text).origin);
  const labels = name.unicode.split('.');
  for (const position of labels.keys()) {
    const domain = parseDomainName(labels.slice(position).join('.'), policy);
    if (!domain) continue;
    const label = labelOf(domain.unicode, domain.zone) ?? '';
    return { zone: domain.zone, name: domain.unicode, label, ...(position > 0 && { host: name.ascii }) };
  }
  return ownerOfZone(zoneNamed(text).origin);
}

function ownerOfZone(origin: string): NamedOwner {
  const parent = parentZone(origin, policy);
  return parent === undefined
    ? { zone: origin, name: origin, label: '' }
    : { zone: parent, name: origin, label: labelOf(origin, parent) ?? '' };
}
