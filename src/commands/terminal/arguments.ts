import { parseDay } from '../../platform/values/dates.ts';
import { policy } from '../../policy/installed.ts';
import { parseDomainName } from '../../registry/names/name.ts';
import { CommandError } from './output.ts';

/** Parses the number of an invoice or of a row. */
export function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`${text} is no number.`);
  return Number(text);
}

/** The start of a day in the registry's zone; undefined where none is given. */
export function startOfDayOption(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (!day) throw new CommandError(`${option} is a day such as 2031-01-31.`);
  return new Date(day.toZonedDateTime(policy.timeZone).epochMilliseconds);
}

/** Normalizes a name to its stored form. */
export function nameOf(text: string): string {
  const name = parseDomainName(text, policy);
  if (!name) throw new CommandError(`${text} is no name of our zones.`);
  return name.unicode;
}
