import type { Attempt } from '../journal.ts';
import { fetchAs, type RegistrarRequest } from '../registrar-request.ts';

const REQUEST_TIMEOUT_MS = 15_000;

/** As a registrar of the sandbox. Without an answer, and with 5xx, the outcome is unknown. */
export async function sendRequest(
  target: string,
  registrar: string,
  request: RegistrarRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Omit<Attempt, 'requestId'>> {
  const sentAt = Date.now();
  try {
    const reply = await fetchAs(target, registrar, request, { timeoutMs: REQUEST_TIMEOUT_MS, headers });
    const { status } = reply;
    const answer = (await reply.json()) as unknown;
    const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'unknown';
    return { outcome, status, body: answer, sentAt, endedAt: Date.now() };
  } catch (error) {
    return { outcome: 'unknown', status: undefined, body: String(error), sentAt, endedAt: Date.now() };
  }
}
