import { noAnswer } from '../../platform/no-answer.ts';
import { EndlessAnswer, readBounded } from '../../platform/read-bounded.ts';
import { traceHeaders } from '../../platform/work-scope.ts';
import { ProviderUnavailable } from './provider.ts';

/** The fields of a JSON answer. */
export type Answer = Readonly<Record<string, unknown>>;
export type Refusal = {
  readonly status: number;
  readonly refusal: { readonly code: number | string; readonly message: string };
};
export type ProviderRequest = {
  readonly url: string;
  readonly authorization: string;
  /** JSON; a request without one is a read, not a write. */
  readonly body?: string;
  readonly withinMs: number;
};

const MAX_ANSWER_BYTES = 1_048_576;
const MAX_MESSAGE_LENGTH = 300;
/** Temporary failures: the request may be retried. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/**
 * One request and its answer. No error contains a URL or a credential, so the runtime's own error messages are not
 * passed on.
 */
export async function exchange(request: ProviderRequest): Promise<Answer | Refusal> {
  const { status, text } = await send(request);
  if (status >= 300 && status < 400) throw new ProviderUnavailable('The provider points elsewhere.');
  if (status >= 500 || TEMPORARY_STATUSES.has(status))
    throw new ProviderUnavailable(`The provider answers with status ${status}.`);
  const answer = readObject(text);
  if (status === 404 && request.body === undefined) return refusalOf(status, answer) ?? nothingThere;
  if (!answer) throw new ProviderUnavailable('The provider answers something that is no JSON object.');
  const refusal = refusalOf(status, answer);
  if (refusal) return refusal;
  if (status >= 400)
    throw new ProviderUnavailable(`The provider answers with status ${status} and no reason.`);
  return answer;
}

async function send({
  url,
  authorization,
  body,
  withinMs,
}: ProviderRequest): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization,
        accept: 'application/json',
        ...traceHeaders(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      // Covers the whole response body, not only its headers.
      signal: AbortSignal.timeout(withinMs),
    });
    return { status: response.status, text: (await readBounded(response, MAX_ANSWER_BYTES)).toString() };
  } catch (error) {
    if (error instanceof EndlessAnswer) throw new ProviderUnavailable('The provider answers without an end.');
    throw new ProviderUnavailable(noAnswer(error).message);
  }
}

function readObject(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Answer)
      : undefined;
  } catch {
    return undefined;
  }
}

const nothingThere: Refusal = { status: 404, refusal: { code: 404, message: 'not found' } };

/** The `error` field; the provider may send it with any status. */
function refusalOf(status: number, answer: Answer | undefined): Refusal | undefined {
  const error = answer?.error;
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return {
    status,
    refusal: {
      code: typeof code === 'number' || typeof code === 'string' ? code : status,
      message: typeof message === 'string' ? message.slice(0, MAX_MESSAGE_LENGTH) : 'no reason given',
    },
  };
}
