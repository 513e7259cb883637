/**
 * Connections of a port that the system keeps until they are accepted, one in each turn of the event loop. Those beyond
 * would be dropped, and tried again by their clients after a second or more. Linux allows 4,096 by default.
 */
export const BACKLOG = 4_096;
