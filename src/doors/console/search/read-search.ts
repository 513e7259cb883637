import type { Policy } from '../../../policy/policy.ts';
import { parseDomainName, parseIdn } from '../../../registry/names/name.ts';
import { filterText } from '../filter-text.ts';

const MAX_TEXT = 255;

export type Search = {
  /** As it was typed, without spaces around it. */
  readonly text: string;
  /** The name of a domain in one of the zones, also out of an address of a page or a mail. */
  readonly name: string | undefined;
  /** The name of a host. */
  readonly host: string | undefined;
  /** Of an invoice. */
  readonly number: number | undefined;
};

/** What somebody typed or pasted into the search of everything. */
export function readSearch(typed: string, policy: Policy): Search {
  const text = filterText(typed.slice(0, MAX_TEXT)) ?? '';
  const written = hostIn(text);
  const host = written.includes('.') ? parseIdn(written)?.unicode : undefined;
  return {
    text,
    name: host === undefined ? undefined : domainIn(host, policy),
    host,
    number: /^\d{1,12}$/.test(text) ? Number(text) : undefined,
  };
}

/** The host of `https://www.example.ee/path`, of `someone@example.ee`, or the text itself. */
const hostIn = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/\.$/, '');

/** The longest end of a host's name that can be registered here. */
function domainIn(host: string, policy: Policy): string | undefined {
  const labels = host.split('.');
  return labels
    .map((_, place) => parseDomainName(labels.slice(place).join('.'), policy))
    .find((parsed) => parsed !== undefined)?.unicode;
}
