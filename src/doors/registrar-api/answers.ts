import type { Outcome } from '../../registry/perform.ts';
import type { Answer } from './endpoint.ts';
import { SUCCESS_TEXT } from './envelope.ts';
import { PREFIX } from './prefix.ts';

/** The answer to an operation; a repeated one says that it is. */
export function performed({ data, replayed }: Outcome): Answer {
  const message = isPending(data) ? `${SUCCESS_TEXT}; action pending` : SUCCESS_TEXT;
  return { data, message, headers: replayed ? { 'idempotency-replayed': 'true' } : {} };
}

/** Where the registrant must confirm first the answer says so. */
const isPending = (data: object): boolean =>
  'domain' in data && typeof data.domain === 'object' && data.domain !== null && 'pending' in data.domain;

type ListQuery = { readonly limit: number; readonly offset: number } & Readonly<
  Record<string, string | number | boolean | undefined>
>;

/** The Link header to the next page, where there is one. */
export function nextPage(path: string, query: ListQuery, count: number): Readonly<Record<string, string>> {
  const offset = query.offset + query.limit;
  if (offset >= count) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries<ListQuery[string]>({ ...query, offset })) {
    if (value !== undefined && value !== false) parameters.set(name, String(value));
  }
  return { link: `<${PREFIX}${path}?${parameters}>; rel="next"` };
}
