/** A request that was not answered. Only the code of the reason: the message of a failed request may repeat the address. */
export function noAnswer(error: unknown): Error {
  return new Error(`No answer (${reasonOf(error)})`);
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'time is up';
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'the request failed';
}
