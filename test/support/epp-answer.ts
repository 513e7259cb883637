import type { XmlElement as LibraryElement } from 'libxml2-wasm';

/** An element of an answer. It is read with another parser than the one that the product reads frames with. */
export type AnswerElement = {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly AnswerElement[];
  /** All character data below it. */
  readonly text: string;
};

export async function readAnswer(text: string): Promise<EppAnswer> {
  const { XmlDocument, XmlElement: Element } = await import('libxml2-wasm');
  using document = XmlDocument.fromString(text);
  return new EppAnswer(text, plain(document.root, Element));
}

/** A frame from the server: a greeting or a response. */
export class EppAnswer {
  readonly frame: string;
  readonly root: AnswerElement;

  constructor(frame: string, root: AnswerElement) {
    this.frame = frame;
    this.root = root;
  }

  /** Every element of that name, in the order of the frame. */
  all(name: string): readonly AnswerElement[] {
    return descendants(this.root).filter((element) => element.name === name);
  }

  first(name: string): AnswerElement | undefined {
    return this.all(name)[0];
  }

  /** The text of the first element at the end of a path such as `infData/exDate`. */
  text(path: string): string | undefined {
    return elementsAt(this.root, path)[0]?.text;
  }

  texts(path: string): readonly string[] {
    return elementsAt(this.root, path).map(({ text }) => text);
  }

  attribute(path: string, name: string): string | undefined {
    return elementsAt(this.root, path)[0]?.attributes[name];
  }

  attributes(path: string, name: string): readonly (string | undefined)[] {
    return elementsAt(this.root, path).map(({ attributes }) => attributes[name]);
  }

  /** The codes of all results. */
  get codes(): readonly number[] {
    return elementsAt(this.root, 'response/result').map(({ attributes }) => Number(attributes.code));
  }

  /** The code of the first result; NaN if the frame is no response. */
  get code(): number {
    return this.codes[0] ?? Number.NaN;
  }

  get messages(): readonly string[] {
    return this.texts('result/msg');
  }

  /** What the results say about the elements that they refuse. */
  get reasons(): readonly string[] {
    return this.texts('result/extValue/reason');
  }

  get clTRID(): string | undefined {
    return this.text('response/trID/clTRID');
  }

  get svTRID(): string | undefined {
    return this.text('response/trID/svTRID');
  }
}

/** The elements at the end of a path, which may begin at any depth. */
function elementsAt(root: AnswerElement, path: string): readonly AnswerElement[] {
  const [first, ...rest] = path.split('/');
  return rest.reduce<readonly AnswerElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    descendants(root).filter(({ name }) => name === first),
  );
}

const descendants = (element: AnswerElement): readonly AnswerElement[] => [
  element,
  ...element.children.flatMap(descendants),
];

function plain(element: LibraryElement, Element: typeof LibraryElement): AnswerElement {
  const children: AnswerElement[] = [];
  for (let node = element.firstChild; node; node = node.next)
    if (node instanceof Element) children.push(plain(node, Element));
  return {
    namespace: element.namespaceUri,
    name: element.name,
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children,
    text: element.content,
  };
}
