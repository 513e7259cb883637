import { parseDay } from '../platform/values/dates.ts';
import { ee } from '../policy/ee.ts';
import { CommandError } from './output.ts';

/** The moment at which a day begins in the registry's zone; undefined where none is given. */
export function beginningOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (!day) throw new CommandError(`${option} is a day such as 2031-01-31.`);
  return new Date(day.toZonedDateTime(ee.timeZone).epochMilliseconds);
}
