/**
 * What is said of a request that got no answer, whoever was asked. Only the code of the error is told: the message of a
 * failed request may contain its URL.
 */
export const noAnswerText = (reason: string): string => `No answer (${reason})`;
export const TIME_IS_UP = 'time is up';

export const noAnswer = (error: unknown): Error => new Error(noAnswerText(reasonOf(error)));

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return TIME_IS_UP;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'the request failed';
}
