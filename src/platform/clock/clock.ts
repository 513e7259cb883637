/** The source of time: read once per operation, then passed on as a value. */
export type Clock = { now(): Date };

export const wallClock: Clock = { now: () => new Date() };

/** Longer than the clocks of two processes can differ. Beyond it a time that lies ahead was written by a wrong clock. */
export const MAX_CLOCK_DIFFERENCE_MS = 180_000;
