import { parseMailbox } from '../mail/enqueue-mails.ts';
import { AddressError, readAddress } from '../database/address.ts';
import { parseAddressRange, shownAddress } from '../values/ip-addresses.ts';
import { isIban } from '../values/money.ts';

/** What the text of a setting should have been: completes "must be …". */
export class SettingError {
  readonly expected: string;
  constructor(expected: string) {
    this.expected = expected;
  }
}

export const integer = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  return /^\d{1,12}$/.test(text) && value >= least && value <= most
    ? value
    : new SettingError(`a whole number from ${least} to ${most}`);
};
/** A door that can stay closed. */
export const portOrOff = (text: string) => {
  const port = text === 'off' ? 'off' : integer(0, 65_535)(text);
  return port instanceof SettingError ? new SettingError(`${port.expected}, or off`) : port;
};
export const oneOf =
  <const T extends string>(...allowed: readonly T[]) =>
  (text: string) =>
    allowed.find((item) => item === text) ?? new SettingError(`one of ${allowed.join(', ')}`);
export const word = (text: string) =>
  text.trim() === '' ? new SettingError('a value that is not empty') : text;
export const longWord = (text: string) =>
  text.length >= 16 ? text : new SettingError('a secret of 16 characters or more');
/** Uses the parser of the connection, so that both accept and understand the same addresses. */
export const postgresUrl = (text: string) => {
  try {
    readAddress(text);
    return text;
  } catch (error) {
    if (error instanceof AddressError) return new SettingError(`a postgres:// address${error.expected}`);
    throw error;
  }
};
const isDecodable = (text: string): boolean => !/%(?![0-9a-f]{2})/i.test(text);
/** Without a regular expression, whose backtracking is quadratic in runs of slashes. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

export const webUrl = (text: string) =>
  /^https?:\/\//.test(text) && URL.canParse(text)
    ? withoutTrailingSlashes(text)
    : new SettingError('an http:// or https:// address');
export const smtpUrl = (text: string) =>
  /^smtps?:\/\/([^\s/?#@]+@)?[^\s/?#@]+\/?$/.test(text) && URL.canParse(text) && isDecodable(text)
    ? text
    : new SettingError('an smtp:// or smtps:// address: smtp://user:password@host:port');
export const mailbox = (text: string) =>
  parseMailbox(text)
    ? text
    : new SettingError('a mail address, or a name and an address: Registry <registry@example.ee>');
export const headerName = (text: string) =>
  /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : new SettingError('the name of a header');
/** As OpenTelemetry defines it: name=value pairs, the values percent-encoded. */
export const headerList = (text: string) => {
  try {
    const pairs = itemsIn(text).map((item) => {
      const [isPair, name = '', value = ''] = /^([A-Za-z0-9_-]{1,64})=([!-~]*)$/.exec(item) ?? [];
      const decoded = decodeURIComponent(value);
      if (isPair === undefined || !/^[ -~]*$/.test(decoded)) throw new TypeError('no header');
      return [name, decoded] as const;
    });
    return Object.fromEntries(pairs);
  } catch {
    return new SettingError('a comma-separated list of name=value, the values percent-encoded');
  }
};
/** Nothing below a path that the server has for something else, and nothing to decode. */
export const pathPrefix = (text: string) =>
  /^(\/[a-z0-9_-]+){1,8}$/.test(text) &&
  !/^\/(registry|api|docs|guide|openapi|rdap|lookup|console|confirm|ca|health|ready|sandbox)(\/|$)/.test(text)
    ? text
    : new SettingError('a path such as /repp/v1 that nothing else is served under');
const itemsIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
/** The valid items, or the complaint about the first invalid one. */
const allOf = (
  items: readonly string[],
  isGood: (item: string) => boolean,
  what: string,
  shown: (item: string) => string = (item) => item,
) => {
  const wrong = items.find((item) => !isGood(item));
  return wrong === undefined
    ? items
    : new SettingError(`a comma-separated list of ${what} ("${shown(wrong)}" is none)`);
};
export const addressRanges = (text: string) =>
  allOf(itemsIn(text), (item) => parseAddressRange(item) !== undefined, 'CIDR ranges');

export const timeOfDay = (text: string) =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : new SettingError('a time of the day such as 19:00');

export const origins = (text: string) =>
  allOf(
    itemsIn(text),
    (item) => URL.canParse(item) && new URL(item).origin === item,
    'origins such as https://shop.example',
    shownAddress,
  );
export const accounts = (text: string) =>
  allOf(
    text.split(',').map((item) => item.replaceAll(/\s/g, '').toUpperCase()),
    isIban,
    'IBANs',
  );
export const prefixes = itemsIn;
/** During the rotation of a secret both the old and the new one are valid. */
export const secrets = (text: string) => {
  const items = text.split(',').map((item) => item.trim());
  return items.length <= 2 && items.every((item) => item.length >= 16)
    ? items
    : new SettingError('one secret, or two separated by a comma, of 16 characters or more each');
};
