import type { Refusals } from '../../operations/refusal.ts';
import type { CommandReader } from './command-reader.ts';
import { renderRefusal } from './render-refusals.ts';
import type { XmlElement } from './xml/element.ts';
import { type Markup, xml } from './xml/write.ts';

/** The result codes of a success (RFC 5730). */
const MESSAGES = {
  1000: 'Command completed successfully',
  1001: 'Command completed successfully; action pending',
  1100: 'Command completed successfully; postal address data discarded',
  1300: 'Command completed successfully; no messages',
  1301: 'Command completed successfully; ack to dequeue',
  1500: 'Command completed successfully; ending session',
} as const;
type SuccessCode = keyof typeof MESSAGES;

/** The answer of a command that was carried out. */
export type Success = {
  readonly code: SuccessCode;
  readonly queue?: Markup | undefined;
  readonly data?: Markup | undefined;
  readonly extensions?: readonly (Markup | undefined)[];
};

export type TransactionIds = { readonly client: string | undefined; readonly server: string };

/** Beyond these the frame of a hostile client would come back several times as large. */
const MAX_RESULTS = 50;
const MAX_VALUE_LENGTH = 1_000;
/** White space around texts is left out, so a value may be shorter than what it is made of. */
const MAX_WRITTEN_SIZE = 16 * MAX_VALUE_LENGTH;
/** Elements whose text never comes back. */
const SECRET: ReadonlySet<string> = new Set([
  'pw',
  'newPW',
  'authInfo',
  'ident',
  'legalDocument',
  'reserved',
]);

export function successResponse(
  envelope: string,
  { code, queue, data, extensions = [] }: Success,
  ids: TransactionIds,
): string {
  const present = extensions.filter((extension) => extension !== undefined);
  return response(
    envelope,
    xml`<result code="${code}"><msg lang="en">${MESSAGES[code]}</msg></result>${queue}${
      data && xml`<resData>${data}</resData>`
    }${present.length > 0 && xml`<extension>${present}</extension>`}`,
    ids,
  );
}

/** One result per refusal. `code` replaces those of the refusals, where EPP has one of its own for the occasion. */
export function refusedResponse(
  envelope: string,
  refusals: Refusals,
  ids: TransactionIds,
  { reader, code }: { readonly reader?: CommandReader | undefined; readonly code?: number } = {},
): string {
  const results = refusals.slice(0, MAX_RESULTS).map((refused) => {
    const { code: own, message, element } = renderRefusal(refused, reader);
    return xml`<result code="${code ?? own}"><msg lang="en">${onOneLine(message)}</msg>${
      element && xml`<value>${echoOf(element)}</value>`
    }</result>`;
  });
  return response(envelope, results, ids);
}

const response = (
  envelope: string,
  content: Markup | readonly Markup[],
  { client, server }: TransactionIds,
) =>
  document(
    envelope,
    xml`<response>${content}<trID>${
      client !== undefined && xml`<clTRID>${client}</clTRID>`
    }<svTRID>${server}</svTRID></trID></response>`,
  );

export const document = (envelope: string, content: Markup): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="no"?>${xml`<epp xmlns="${envelope}">${content}</epp>`}`;

/** `normalizedString` has no line breaks. */
const onOneLine = (text: string): string => text.replace(/[\t\n\r]/g, ' ');

/** The client's element as it came, without secrets; a large one by its name only. */
function echoOf(element: XmlElement): Markup {
  const { namespace, name } = element;
  const byName = xml`<${name} xmlns="${namespace}"/>`;
  if (sizeOf(element) > MAX_WRITTEN_SIZE) return byName;
  const whole = xml`<${name} xmlns="${namespace}"${attributesOf(element)}>${contentOf(element)}</${name}>`;
  return String(whole).length <= MAX_VALUE_LENGTH ? whole : byName;
}

/** The characters of its texts and the number of its elements, counted until there are more than are worth writing. */
function sizeOf({ name, text, children }: XmlElement): number {
  if (SECRET.has(name)) return 1;
  let size = 1 + text.length;
  for (const child of children) {
    if (size > MAX_WRITTEN_SIZE) break;
    size += sizeOf(child);
  }
  return size;
}

const contentOf = ({ name, text, children }: XmlElement): Markup =>
  SECRET.has(name)
    ? xml``
    : xml`${text.trim()}${children.map(
        (child) => xml`<${child.name}${attributesOf(child)}>${contentOf(child)}</${child.name}>`,
      )}`;

const attributesOf = ({ attributes }: XmlElement): readonly Markup[] =>
  Object.entries(attributes).map(([name, value]) => xml` ${name}="${value}"`);
