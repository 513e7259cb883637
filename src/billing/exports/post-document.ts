import { noAnswer } from '../../platform/no-answer.ts';
import { EndlessAnswer, readBounded } from '../../platform/read-bounded.ts';
import { traceHeaders } from '../../platform/work-scope.ts';

type Posting = {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Sends a document and reads the answer up to a size limit. Its errors contain no URL and no secret. */
export async function post({
  url,
  body,
  headers,
  timeoutMs,
}: Posting): Promise<{ status: number; bytes: Buffer }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...traceHeaders() },
      body,
      // The content must not be forwarded to any address but the configured one.
      redirect: 'manual',
      // Covers the whole response body, not only its headers.
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, bytes: await readBounded(response, MAX_ANSWER_BYTES) };
  } catch (error) {
    throw error instanceof EndlessAnswer ? new Error('Answered without an end') : noAnswer(error);
  }
}
