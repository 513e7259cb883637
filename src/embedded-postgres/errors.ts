/** Why the embedded database is unavailable, in one sentence for the operator. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
