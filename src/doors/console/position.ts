import type { Position, SortColumn } from '../../registry/listing.ts';

const FORM = /^(\d{1,15})\.(.*)$/s;
/** Microseconds, until about the year 5000. */
const TIME = /^\d{1,17}$/;

/** Where a page of a list begins, in its address. */
export const positionText = ({ key, id }: Position): string => `${id}.${key}`;

/** Undefined for what is none: the list begins at its start then. */
export function readPosition(text: string, type: SortColumn['type']): Position | undefined {
  const [, id, key] = FORM.exec(text) ?? [];
  if (id === undefined || key === undefined || key.includes('\0')) return undefined;
  return type === 'time' && !TIME.test(key) ? undefined : { id: Number(id), key };
}
