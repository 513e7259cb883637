/** The ranges that match JSON, most specific first: the first one present decides. */
const RANGES = ['application/json', 'application/*', '*/*'];

/** Whether an Accept header allows JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === 'application/json')
    return true;
  const named = accept.split(',').map((item) => item.split(';').map((part) => part.trim().toLowerCase()));
  const deciding = RANGES.map((range) => named.find(([type]) => type === range)).find(
    (item) => item !== undefined,
  );
  return deciding !== undefined && !deciding.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
}

/** Whether the client is a browser: only browsers name HTML. */
export const acceptsPage = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '');

/** The supported language with the highest weight in an Accept-Language header; the first one by default. */
export function preferredLanguage<T extends string>(
  accept: string | undefined,
  languages: readonly [T, ...T[]],
): T {
  let best: { readonly language: T; readonly weight: number } | undefined;
  for (const item of (accept ?? '').split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const language = languages.find((known) => known === range.split('-', 1)[0]);
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    if (language && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? languages[0];
}

/** Whether an If-None-Match header names this entity tag; weak comparison (RFC 9110, 13.1.2). */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((item) => {
    const tag = item.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

/** Whether an Accept-Encoding header names this coding with a weight above zero. */
export function acceptsEncoding(header: string | readonly string[] | undefined, coding: string): boolean {
  const named = String(header ?? '')
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === coding);
  const weight = named?.find((part) => part.startsWith('q='));
  return named !== undefined && (weight === undefined || Number(weight.slice(2)) > 0);
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const mediaType = (contentType: string | undefined): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
