import type { Command } from 'commander';
import type { Holder, ReservedFilter } from '../registry/names/lists.ts';
import { beginningOf } from './day.ts';
import { CommandError } from './output.ts';

export type FilterOptions = {
  readonly name?: string;
  readonly heldBy?: string;
  readonly endsBefore?: string;
  readonly forGood?: boolean;
};

const HOLDERS: readonly Holder[] = ['operator', 'portal'];

/** The same for whoever lists reserved names and whoever writes them to a file. */
export const withFilters = (command: Command): Command =>
  command
    .option('--name <part>', 'only names with this in them')
    .option('--held-by <whom>', `only names kept by one of ${HOLDERS.join(', ')}`)
    .option('--ends-before <day>', 'only reservations that end before this day, yyyy-mm-dd')
    .option('--for-good', 'only reservations that never end');

export function readFilter({ name, heldBy, endsBefore, forGood }: FilterOptions): ReservedFilter {
  const holder = HOLDERS.find((known) => known === heldBy);
  if (heldBy !== undefined && !holder) throw new CommandError(`--held-by is one of ${HOLDERS.join(', ')}.`);
  const before = beginningOf('--ends-before', endsBefore);
  return { part: name?.normalize('NFC').toLowerCase(), heldBy: holder, before, forGood };
}
