/**
 * An address as it may be shown: without the user and the password in it, and without the values of its query, which
 * may be tokens. What cannot be read as an address is cut at the same places.
 */
export function shownAddress(address: string): string {
  const query = firstOf(address, '?', '#');
  const place = query < 0 ? address : address.slice(0, query);
  const scheme = place.indexOf('://');
  const start = scheme < 0 ? 0 : scheme + 3;
  const slash = place.indexOf('/', start);
  const authorityEnd = URL.canParse(address) && slash >= 0 ? slash : place.length;
  const at = place.lastIndexOf('@', authorityEnd - 1);
  const safe = at < start ? place : place.slice(0, start) + place.slice(at + 1);
  return query < 0 ? safe : `${safe}?${shownQuery(address.slice(query + 1))}`;
}

/** The names alone; a part without a name is all value. */
const shownQuery = (query: string): string =>
  query
    .split('&')
    .map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=…` : '…'))
    .join('&');

function firstOf(text: string, ...marks: readonly string[]): number {
  const places = marks.map((mark) => text.indexOf(mark)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}
