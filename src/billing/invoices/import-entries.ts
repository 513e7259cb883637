export type Numbered = { readonly number: number | string };
/** An entry of an import: its number as it was given, and its value or the reason why it cannot be read. */
export type ImportEntry<T> = {
  readonly given: string | number | null;
  readonly read: { readonly value: T } | { readonly reason: string };
};
/** Entries are counted from 0, as elements of the array that was sent. */
type Placed = { readonly entry: number; readonly given: string | number | null };

const REPEATED = 'a later entry has the same number';

/** The entries to add, and those that are skipped whatever is known. Of several with one number the last counts. */
export function sortEntries<T extends Numbered>(
  entries: readonly ImportEntry<T>[],
): {
  readonly values: readonly (Placed & { readonly value: T })[];
  readonly skipped: readonly (Placed & { readonly reason: string })[];
} {
  const values = new Map<T['number'], Placed & { readonly value: T }>();
  const skipped: (Placed & { readonly reason: string })[] = [];
  for (const [entry, { given, read }] of entries.entries()) {
    if ('reason' in read) {
      skipped.push({ entry, given, reason: read.reason });
      continue;
    }
    const earlier = values.get(read.value.number);
    if (earlier) skipped.push({ entry: earlier.entry, given: earlier.given, reason: REPEATED });
    values.set(read.value.number, { entry, given, value: read.value });
  }
  return { values: [...values.values()], skipped };
}
