/** The ranges that speak of JSON, the most precise first: the first one that is named decides. */
const RANGES = ['application/json', 'application/*', '*/*'];

/** Whether an Accept header lets us answer in JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === 'application/json')
    return true;
  const named = accept.split(',').map((item) => item.split(';').map((part) => part.trim().toLowerCase()));
  const deciding = RANGES.map((range) => named.find(([type]) => type === range)).find(
    (item) => item !== undefined,
  );
  return deciding !== undefined && !deciding.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
}

/** Whether a person's browser asks: only those name HTML. */
export const acceptsPage = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '');

export const mediaType = (contentType: string | undefined): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
