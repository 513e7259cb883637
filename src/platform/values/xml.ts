import { readFileSync } from 'node:fs';
import type { XmlElement, XsdValidator } from 'libxml2-wasm';

/** An XML element as a plain value. Parsed names have no prefix. */
export type Xml = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Xml[];
  readonly text: string;
};

type Content = string | readonly (Xml | undefined)[];

// Loaded on first use: it would slow the start of every command that does not need it.
const library = () => import('libxml2-wasm');

/** Undefined attributes and children are omitted. */
export function xml(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  content: Content = [],
): Xml {
  const given = Object.entries(attributes).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const children = typeof content === 'string' ? [] : content.filter((child) => child !== undefined);
  return {
    name,
    attributes: Object.fromEntries(given),
    children,
    text: typeof content === 'string' ? content : '',
  };
}

/** The serialised document; characters that XML cannot represent become U+FFFD. */
export async function writeXml(root: Xml): Promise<string> {
  const { XmlDocument } = await library();
  using document = XmlDocument.create();
  const [local, prefix] = nameOf(root);
  const namespace = root.attributes[prefix === undefined ? 'xmlns' : `xmlns:${prefix}`];
  fill(document.createRoot(local, namespace, prefix), root);
  return document.toString({ format: true });
}

/** Undefined if the bytes are not well-formed XML, or contain a DTD. */
export async function readXml(bytes: Uint8Array | string): Promise<Xml | undefined> {
  const { XmlDocument, XmlElement: ElementOf, ParseOption } = await library();
  const source = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOCDATA;
  try {
    using document = XmlDocument.fromBuffer(source, { option });
    return document.dtd === null ? plain(document.root, ElementOf) : undefined;
  } catch {
    return undefined;
  }
}

const validators = new Map<string, Promise<XsdValidator>>();

/** The schema violations of a document; undefined if it is valid. */
export async function schemaViolations(text: string, schema: URL): Promise<string | undefined> {
  const { XmlDocument, XmlLibError } = await library();
  const known = validators.get(schema.href) ?? openSchema(schema);
  validators.set(schema.href, known);
  const validator = await known;
  using document = XmlDocument.fromString(text);
  try {
    validator.validate(document);
    return undefined;
  } catch (error) {
    if (error instanceof XmlLibError) return error.message.trim();
    throw error;
  }
}

async function openSchema(schema: URL): Promise<XsdValidator> {
  const { XmlDocument, XsdValidator: Validator } = await library();
  using document = XmlDocument.fromBuffer(readFileSync(schema));
  return Validator.fromDoc(document);
}

/** The descendant at a path of names. */
export function childAt(element: Xml | undefined, ...path: readonly string[]): Xml | undefined {
  return path.reduce<Xml | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    element,
  );
}

export const textAt = (element: Xml | undefined, ...path: readonly string[]): string | undefined =>
  childAt(element, ...path)?.text;

/** Characters that XML 1.0 does not allow, escaped or not. */
const INVALID_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const replaceInvalid = (text: string): string => text.replace(INVALID_CHARACTER, '\u{FFFD}');

function fill(element: XmlElement, { attributes, children, text }: Xml): void {
  for (const [name, value] of Object.entries(attributes)) {
    const [local = name, prefix] = name.split(':').reverse();
    if (name !== 'xmlns' && prefix !== 'xmlns') element.setAttr(local, replaceInvalid(value), prefix);
    // The root has already declared its own.
    else if (prefix === 'xmlns' && !(local in element.nsDeclarations)) element.addNsDeclaration(value, local);
  }
  if (text !== '') element.addText(replaceInvalid(text));
  for (const child of children) fill(element.addElement(...nameOf(child)), child);
}

function nameOf({ name }: Xml): [local: string, prefix?: string] {
  const [local = name, prefix] = name.split(':').reverse();
  return prefix === undefined ? [local] : [local, prefix];
}

function plain(element: XmlElement, ElementOf: typeof XmlElement): Xml {
  const children: Xml[] = [];
  for (let node = element.firstChild; node; node = node.next)
    if (node instanceof ElementOf) children.push(plain(node, ElementOf));
  return {
    name: element.name,
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children,
    text: children.length === 0 ? element.content : '',
  };
}
