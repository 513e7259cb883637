export type Credentials = { readonly username: string; readonly password: string };

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The credentials of an Authorization header, standard or URL-safe Base64; undefined when there are none. */
export function parseBasic(header: string | undefined): Credentials | undefined {
  const encoded = header === undefined ? undefined : BASIC.exec(header)?.[1];
  if (encoded === undefined || encoded.length > 1024) return undefined;
  let text: string;
  try {
    text = utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
