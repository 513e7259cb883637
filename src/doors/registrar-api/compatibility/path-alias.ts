import type { FastifyReply, FastifyRequest } from 'fastify';
import { PREFIX } from '../prefix.ts';

/** Below these, the last segment is a name or code, to which a suffix belongs. */
const NAMED_BELOW: readonly (readonly string[])[] = [
  ['contacts'],
  ['contacts', 'check'],
  ['domains'],
  ['domains', 'check'],
  ['domains', '*', 'nameservers'],
];
/** What else can be the last segment there. */
const CALLS = new Set(['transfer', 'contacts', 'admin_contacts']);
const SUFFIX = '.json';

/**
 * The path of a request under the prefix of the registrar API: an alias is replaced, and a trailing slash and the suffix
 * of a format are left out, as at the incumbent. Whether a caller may write its paths so is decided by its profile.
 */
export const pathRewriter = (alias: string | undefined) => (url: string) => {
  const own = isBelow(url, alias) ? PREFIX + url.slice(alias.length) : url;
  if (!isBelow(own, PREFIX)) return own;
  const end = own.includes('?') ? own.indexOf('?') : own.length;
  const path = own.slice(PREFIX.length, end);
  const shorter = withoutEnding(path);
  return shorter === path ? own : PREFIX + shorter + own.slice(end);
};

const isBelow = (url: string, prefix: string | undefined): prefix is string =>
  prefix !== undefined && url.startsWith(prefix) && ['/', '?', undefined].includes(url[prefix.length]);

function withoutEnding(path: string): string {
  if (path.length > 1 && path.endsWith('/')) return path.slice(0, -1);
  if (!path.endsWith(SUFFIX)) return path;
  const shorter = path.slice(0, -SUFFIX.length);
  const segments = shorter.split('/').slice(1);
  const last = segments.pop() ?? '';
  const isName = NAMED_BELOW.some(
    (above) =>
      above.length === segments.length &&
      above.every((step, place) => step === '*' || step === segments[place]) &&
      !(segments.length === 1 && segments[0] === 'domains' && CALLS.has(last)),
  );
  return isName ? path : shorter;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** Whether the path was written with an ending that is not part of it. */
export const hasEnding = ({ originalUrl, url }: FastifyRequest): boolean =>
  originalUrl !== url &&
  ['/', SUFFIX].some((ending) => pathOf(originalUrl).endsWith(ending) && !pathOf(url).endsWith(ending));

/** Links in answers to requests under the alias stay under it. */
export const linkUnderAlias =
  (alias: string | undefined) =>
  ({ originalUrl }: FastifyRequest, reply: FastifyReply): void => {
    const link = reply.getHeader('link');
    if (typeof link === 'string' && isBelow(originalUrl, alias))
      reply.header('link', link.replace(`<${PREFIX}/`, `<${alias}/`));
  };
