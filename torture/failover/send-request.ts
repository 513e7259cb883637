import type { Attempt } from '../journal.ts';

const API = '/registry/v1';
const REQUEST_TIMEOUT_MS = 15_000;

export type Request = { readonly method: string; readonly path: string; readonly body?: unknown };

/** As a registrar of the sandbox. Without an answer, and with 5xx, nobody knows what became of it. */
export async function sendRequest(
  target: string,
  registrar: string,
  { method, path, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Omit<Attempt, 'requestId'>> {
  const sentAt = Date.now();
  try {
    const reply = await fetch(`${target}${API}${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${registrar}:${registrar}-sandbox-password`)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { status } = reply;
    const answer = (await reply.json()) as unknown;
    const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'unknown';
    return { outcome, status, body: answer, sentAt, endedAt: Date.now() };
  } catch (error) {
    return { outcome: 'unknown', status: undefined, body: String(error), sentAt, endedAt: Date.now() };
  }
}
