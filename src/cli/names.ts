import { ee } from '../policy/ee.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { CommandError } from './output.ts';

/** A name as the operator wrote it, as it is stored. */
export function nameOf(text: string): string {
  const name = parseDomainName(text, ee);
  if (!name) throw new CommandError(`${text} is no name of our zones.`);
  return name.unicode;
}
