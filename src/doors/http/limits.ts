/** Bounds of every HTTP API; texts and documents that tell of them are made of these numbers. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** A duplicate of a request whose key is at work waits for it; beyond so many the next is turned away. */
export const MAX_QUEUED_DUPLICATES = 64;
export const MAX_PATH_PARAMETER_LENGTH = 255;
