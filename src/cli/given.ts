import { CommandError } from './output.ts';

/** The number of an invoice or of a row, as the operator wrote it. */
export function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`${text} is no number.`);
  return Number(text);
}

/** A reason that is kept must say something. */
export function given(reason: string): string {
  if (reason.trim() === '') throw new CommandError('--reason must not be empty: it is kept.');
  return reason;
}
