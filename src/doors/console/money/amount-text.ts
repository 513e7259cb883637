/** A point or a comma that groups thousands: three digits follow it, and whole groups of three are before it. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

/**
 * An amount as people write it, in the form in which the registry reads it: `1 500,00 €`, `1,500.00` and `1.500,00` are
 * 1500.00. Of a point and a comma the last one is that of the decimals.
 */
export function writtenAmount(text: string): string {
  const bare = text.replaceAll(/[\s€’']|EUR/giu, '');
  const [point, comma] = [bare.lastIndexOf('.'), bare.lastIndexOf(',')];
  if (point >= 0 && comma >= 0)
    return point > comma ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.');
  return GROUPED.test(bare) ? bare.replaceAll(',', '') : bare.replace(',', '.');
}
