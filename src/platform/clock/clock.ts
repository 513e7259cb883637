/** The source of time: read once per operation, then passed on as a value. */
export type Clock = { now(): Date };

export const wallClock: Clock = { now: () => new Date() };
