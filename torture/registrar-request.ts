const API = '/registry/v1';

export type RegistrarRequest = { readonly method: string; readonly path: string; readonly body?: unknown };

type Options = { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> };

/** Calls the registrar API as a registrar of the sandbox's seed. */
export const fetchAs = (
  target: string,
  registrar: string,
  { method, path, body }: RegistrarRequest,
  { timeoutMs, headers = {} }: Options,
): Promise<Response> =>
  fetch(`${target}${API}${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${registrar}:${registrar}-sandbox-password`)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
