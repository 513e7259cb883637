import { ParseOption, XmlDocument, XmlElement } from 'libxml2-wasm';
import { UnreadableStatement } from './line.ts';

/** An element with what stands in it; names are told without their prefix. */
export type Element = {
  readonly name: string;
  readonly namespace: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
};

/** Nothing is fetched, and no entity is put in: a document that defines some is refused before its text is read. */
const OPTIONS = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

export function readXml(bytes: Uint8Array): Element {
  let document: XmlDocument;
  try {
    document = XmlDocument.fromBuffer(bytes, OPTIONS);
  } catch (error) {
    throw new UnreadableStatement(`It is no XML: ${(error as Error).message.trim().split('\n', 1)[0]}.`);
  }
  try {
    if (document.dtd) throw new UnreadableStatement('It has a document type, which a statement has not.');
    return elementOf(document.root);
  } finally {
    document.dispose();
  }
}

function elementOf(element: XmlElement): Element {
  const children: Element[] = [];
  for (let child = element.firstChild; child; child = child.next)
    if (child instanceof XmlElement) children.push(elementOf(child));
  return {
    name: element.name,
    namespace: element.namespaceUri,
    text: children.length === 0 ? element.content.trim() : '',
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children,
  };
}

/** Every element at the end of a path of names. */
export const all = (from: Element, path: string): readonly Element[] =>
  path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [from],
    );

/** The text of the first of these paths that has one. */
export function textAt(from: Element, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const found = all(from, path).find(({ text }) => text !== '');
    if (found) return found.text;
  }
  return null;
}
