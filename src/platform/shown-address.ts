/**
 * An address as it may be shown: without the user and the password in it, and without the values of its query, which
 * may be tokens. What is no URL, such as a list of servers, is cut behind its last @: a password with a mark in it that
 * is not encoded can reach that far.
 */
export function shownAddress(address: string): string {
  const scheme = address.indexOf('://');
  const start = scheme < 0 ? 0 : scheme + 3;
  const authorityEnd = URL.canParse(address) ? firstOf(address.slice(start), '/', '?', '#') : -1;
  const at = address.lastIndexOf('@', authorityEnd < 0 ? address.length : start + authorityEnd);
  const safe = at < start ? address : address.slice(0, start) + address.slice(at + 1);
  const query = firstOf(safe, '?', '#');
  return query < 0 ? safe : `${safe.slice(0, query)}?${shownQuery(safe.slice(query + 1))}`;
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
