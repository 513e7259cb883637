import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { http } from '../../../platform/node-http.ts';
import type { TrialRequest } from './trial-request.ts';

export type TrialAnswer = {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the answer was longer than what is shown. */
  readonly isCut: boolean;
  readonly durationMs: number;
};

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** Sends a request to this server over HTTP. Rejects if no whole answer comes in time. */
export async function sendTrial(
  ownUrl: string,
  { method, path, headers, body }: TrialRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<TrialAnswer> {
  const began = performance.now();
  const { protocol } = new URL(ownUrl);
  const content = body === undefined ? undefined : Buffer.from(body);
  const request = (protocol === 'https:' ? https : http).request(ownUrl, {
    // As it is: a URL would resolve steps such as "..".
    path,
    method,
    headers: { ...headers, ...(content && { 'content-length': content.byteLength }) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request.on('response', answered);
    request.on('error', failed);
    request.end(content);
  });
  const { bytes, isCut } = await readUpTo(response, MAX_ANSWER_BYTES);
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    body: bytes,
    isCut,
    headers: pairs(response.rawHeaders),
    durationMs: performance.now() - began,
  };
}

async function readUpTo(response: IncomingMessage, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  // To leave the loop early closes the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
