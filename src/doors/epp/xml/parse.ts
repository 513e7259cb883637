import type { SaxesTagNS } from 'saxes';
import { nextTurn } from '../../../platform/concurrency/event-loop-turns.ts';
import type { XmlElement } from './element.ts';
import { decodedSlices, type Encoding, encodingOf, isDeclarable } from './encoding.ts';
import { MarkupGuard } from './markup-guard.ts';
import { createSaxParser } from './sax-parser.ts';

const MAX_DEPTH = 32;
export const MAX_ELEMENTS = 20_000;
const MAX_ATTRIBUTES = 32;
const MAX_ATTRIBUTES_IN_ALL = 20_000;
/** What is parsed in one turn of the event loop: a few milliseconds at most, whatever the content. */
export const MAX_SLICE_BYTES = 32_768;
/** A parser's message can quote names of the document. */
const MAX_MESSAGE_LENGTH = 200;

/** The message is for the log; it contains no character data. */
export class NotWellFormed extends Error {
  override name = 'NotWellFormed';
}

/** How many elements a document may have in all, by those that are open. */
type MostElements = (open: readonly XmlElement[]) => number;

/** A large document is parsed over several turns of the event loop, so that other connections are served in between. */
export async function parseXml(
  bytes: Uint8Array,
  mostElements: MostElements = () => MAX_ELEMENTS,
): Promise<XmlElement> {
  const encoding = encodingOf(bytes);
  const tree = new TreeBuilder(encoding, mostElements);
  const slices = decodedSlices(bytes, encoding, MAX_SLICE_BYTES);
  const isLarge = bytes.length > MAX_SLICE_BYTES;
  const guard = new MarkupGuard();
  for (;;) {
    if (isLarge) await nextTurn();
    const slice = reportingFaults(() => slices.next());
    if (slice.done) return reportingFaults(() => tree.finish());
    const reason = guard.check(slice.value);
    if (reason !== undefined) refuse(reason);
    reportingFaults(() => tree.write(slice.value));
    // The parser reports a document type declaration only at its end, however large it is.
    if (isLarge && !tree.hasRoot) refuse('it has no root element in its first part');
  }
}

type Open = XmlElement & { readonly children: XmlElement[]; text: string };

class TreeBuilder {
  readonly #parser = createSaxParser();
  readonly #mostElements: MostElements;
  readonly #open: Open[] = [];
  #root: XmlElement | undefined;
  #elements = 0;
  #attributes = 0;
  #attributesInAll = 0;

  constructor(encoding: Encoding, mostElements: MostElements) {
    this.#mostElements = mostElements;
    const parser = this.#parser;
    parser.on('xmldecl', ({ encoding: declared }) => {
      if (declared !== undefined && !isDeclarable(encoding, declared))
        refuse('its encoding is neither UTF-8 nor UTF-16, or not the declared one');
    });
    parser.on('doctype', () => refuse('it contains a document type declaration'));
    parser.on('processinginstruction', () => refuse('it contains a processing instruction'));
    parser.on('opentagstart', () => this.#start());
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', (tag) => this.#add(tag));
    parser.on('closetag', () => this.#open.pop());
    parser.on('text', (text) => this.#append(text));
    parser.on('cdata', (text) => this.#append(text));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  get hasRoot(): boolean {
    return this.#root !== undefined;
  }

  finish(): XmlElement {
    this.#parser.close();
    return this.#root ?? refuse('it has no root element');
  }

  #start(): void {
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#elements > this.#mostElements(this.#open)) refuse('it has too many elements');
    if (this.#open.length >= MAX_DEPTH) refuse('it is nested too deeply');
  }

  #countAttribute(): void {
    this.#attributes += 1;
    this.#attributesInAll += 1;
    if (this.#attributes > MAX_ATTRIBUTES) refuse('an element has too many attributes');
    if (this.#attributesInAll > MAX_ATTRIBUTES_IN_ALL) refuse('it has too many attributes');
  }

  #add({ uri, local, attributes }: SaxesTagNS): void {
    const element = { namespace: uri, name: local, attributes: plain(attributes), children: [], text: '' };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else this.#root = element;
    this.#open.push(element);
  }

  #append(text: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += text;
  }
}

/** Without a prototype, so that a client's name never finds a property of every object. */
function plain(attributes: SaxesTagNS['attributes']): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute?.uri === '') found[name] = attribute.value;
    else if (attribute?.name === 'xml:lang') found.lang ??= attribute.value;
  }
  return found;
}

function refuse(reason: string): never {
  throw new NotWellFormed(reason);
}

/** A decoder throws a TypeError, the parser an Error. */
function reportingFaults<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotWellFormed) throw error;
    throw new NotWellFormed((error as Error).message.slice(0, MAX_MESSAGE_LENGTH));
  }
}
