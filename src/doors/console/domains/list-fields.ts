import type { Refusal } from '../../../operations/refusal.ts';
import type { KeyText } from '../../../registry/domains/rules/dnssec-keys.ts';
import type { NameserverText } from '../../../registry/domains/rules/parse-nameservers.ts';
import { refusal } from '../form-refusals.ts';
import type { FormInput } from '../console-page.ts';

/** Codes of contacts, separated by anything that no code contains. */
export const codesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((code) => code !== '');

export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** One host on each line, with its addresses after it. */
export const nameserversIn = (text: string): NameserverText[] =>
  linesIn(text).map((line) => {
    const [hostname = '', ...addresses] = line.split(/[\s,;()]+/).filter((word) => word !== '');
    const isIpv6 = (address: string) => address.includes(':');
    return {
      hostname,
      ipv4: addresses.filter((address) => !isIpv6(address)),
      ipv6: addresses.filter(isIpv6),
    };
  });

type Host = {
  readonly hostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

/** A host as nameserversIn reads it. */
export const nameserverLine = ({ hostname, ipv4, ipv6 }: Host): string =>
  [hostname, ...ipv4, ...ipv6].join(' ');

/** One DNSKEY record on each line, with or without its owner, class and comments; parentheses join lines. */
export function keysIn(text: string): KeyText[] {
  const records: string[] = [];
  let isOpen = false;
  for (const [line = ''] of linesIn(text).map((each) => each.split(';', 1))) {
    const place = isOpen ? records.length - 1 : records.length;
    records[place] = `${records[place] ?? ''} ${line}`;
    isOpen = line.lastIndexOf('(') > line.lastIndexOf(')') || (isOpen && !line.includes(')'));
  }
  return records
    .map((record) => record.split(/[\s()]+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)
    .map((words) => {
      const start = words.findIndex((word) => word.toUpperCase() === 'DNSKEY') + 1;
      const [flags = '', protocol = '', alg = '', ...key] = words.slice(start);
      return { flags, protocol, alg, publicKey: key.join('') };
    });
}

/** As many as a list of the API has. */
const MAX_ITEMS = 100;
const LINE_ENDS = /\n/g;
const GAPS = /[\s,;]+/g;

/** What is refused before a list is parsed: more lines than a list of the API has items, or more words on one of them. */
export const checkLines = (form: FormInput, field: string): Refusal[] =>
  hasMore(form.field(field), LINE_ENDS) || linesIn(form.field(field)).some((line) => hasMore(line, GAPS))
    ? [refusal('listTooLong', { field, most: MAX_ITEMS })]
    : [];

/** The same of a list of codes. */
export const checkCodes = (form: FormInput, field: string): Refusal[] =>
  hasMore(form.field(field), GAPS) ? [refusal('listTooLong', { field, most: MAX_ITEMS })] : [];

function hasMore(text: string, separator: RegExp): boolean {
  let count = 1;
  for (const _separator of text.trim().matchAll(separator)) {
    count += 1;
    if (count > MAX_ITEMS) return true;
  }
  return false;
}
