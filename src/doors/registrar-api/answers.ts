import type { Outcome } from '../../registry/operation.ts';
import type { Answer } from './endpoint.ts';
import { PREFIX } from './prefix.ts';

/** The answer to an operation; a repeated one says that it is. */
export function performed({ data, replayed }: Outcome): Answer {
  return replayed ? { data, headers: { 'idempotency-replayed': 'true' } } : { data };
}

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
