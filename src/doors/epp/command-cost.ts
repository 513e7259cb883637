import type { Command } from './epp-request.ts';

/** As many objects of a check, or prices of them, take about as long as a short command. */
const CHECKED_PER_COMMAND = 20;
/** Every price is quoted for every name of a check. */
export const MAX_PRICES = 5_000;
/** As much of a frame takes as long to parse as some short commands. */
const FRAME_BYTES_PER_COMMAND = 256 * 1024;

/** Beside its command. */
export const costOfFrame = (bytes: number): number => Math.floor(bytes / FRAME_BYTES_PER_COMMAND);

/** As how many commands a frame counts in the rate limit. A frame that is to be refused counts at most as the largest check. */
export function costOf({ verb, element, extensions }: Command, frameBytes: number): number {
  const ofFrame = costOfFrame(frameBytes);
  if (verb !== 'check') return 1 + ofFrame;
  const objects = element.children[0]?.children.length ?? 0;
  const fees = extensions.flatMap(({ children }) => children).filter(({ name }) => name === 'command');
  const checked = Math.min(objects * Math.max(1, fees.length), MAX_PRICES);
  return Math.max(1, Math.ceil(checked / CHECKED_PER_COMMAND)) + ofFrame;
}
