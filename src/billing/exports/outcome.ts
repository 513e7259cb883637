/** What a service answered of one invoice; a reason only where it does not take it. */
export type ExportOutcome =
  | { readonly number: number; readonly accepted: true }
  | { readonly number: number; readonly accepted: false; readonly reason: string };

const LONGEST_REASON = 500;

export const acceptedBy = (number: number): ExportOutcome => ({ number, accepted: true });
export const rejectedFor = (number: number, reason: string): ExportOutcome => ({
  number,
  accepted: false,
  reason: reason.trim().slice(0, LONGEST_REASON) || 'no reason given',
});
