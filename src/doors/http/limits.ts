/** Limits of every HTTP API; texts and documents are generated from these numbers. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** A duplicate waits for the request in flight under the same key; above this number it is refused. */
export const MAX_QUEUED_DUPLICATES = 64;
export const MAX_PATH_PARAMETER_LENGTH = 255;
