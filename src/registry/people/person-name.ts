import { isBlank, normaliseText } from '../../platform/values/normalise-text.ts';

const MAX_NAME = 100;

/** A name as it is stored; undefined if it is empty, too long, or has characters that nobody sees. */
export function parsePersonName(text: string): string | undefined {
  const name = normaliseText(text.trim(), MAX_NAME);
  return name === undefined || isBlank(name) || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name) ? undefined : name;
}
