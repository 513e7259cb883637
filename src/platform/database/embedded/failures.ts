export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
