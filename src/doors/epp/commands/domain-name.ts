import { isLengthWithin } from '../../../platform/values/normalise-text.ts';
import type { Policy } from '../../../policy/policy.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import type { CommandReader } from '../command-reader.ts';
import type { XmlElement } from '../xml/element.ts';

/** Of a label type in the schemas. */
const MAX_NAME_LENGTH = 255;

/** The name as it was sent, in lower case, and short enough to come back. */
export function readNameText(element: XmlElement, reader: CommandReader, at?: readonly ['name']): string {
  const text = reader.text(element, at);
  if (isLengthWithin(text, { max: MAX_NAME_LENGTH })) return text.toLowerCase();
  reader.wrong(element, `at most ${MAX_NAME_LENGTH} characters`);
  return '';
}

/** The name as it is registered. One that cannot be registered stays as it was sent: it is not found. */
export function readName(element: XmlElement, reader: CommandReader, policy: Policy): string {
  const text = readNameText(element, reader, ['name']);
  return parseDomainName(text, policy)?.unicode ?? text;
}
