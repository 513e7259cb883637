import type { Parsed } from '../../operations/refusal.ts';
import { refusal, refuse } from './registrar-api-refusals.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const EXPECTED = 'a time such as 2026-11-15T10:00:00Z';

function readTime(text: string): Date | undefined {
  const time = new Date(TIME.test(text) ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** A time with its zone that a body must have. */
export function parseTime(field: string, text = ''): Parsed<Date> {
  const value = readTime(text);
  return value ? { value } : { refusals: [refusal('wrongSyntax', { field, expected: EXPECTED })] };
}

/** One of a query, if it is there. */
export const timeIn = (field: string, text: string | undefined): Date | undefined =>
  text === undefined ? undefined : (readTime(text) ?? refuse('wrongSyntax', { field, expected: EXPECTED }));
