import { isLengthWithin } from '../platform/values/normalise-text.ts';

/** A sponsor's own note on its object, such as the number of its order: nobody else sees it, and a transfer ends it. */
export const MAX_REFERENCE_LENGTH = 255;

export const REFERENCE_EXPECTED = `1 to ${MAX_REFERENCE_LENGTH} characters without control characters`;

export const isReference = (text: string): boolean =>
  isLengthWithin(text, { min: 1, max: MAX_REFERENCE_LENGTH }) && !/\p{Cc}/u.test(text);
