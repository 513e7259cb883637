import { type Parsed, type Path, type Refusal, requireNone } from '../../operations/refusal.ts';
import { isBlank } from '../../platform/values/normalise-text.ts';
import type { ContactPath } from '../../registry/contacts/contact-paths.ts';
import type { DomainPath } from '../../registry/domains/rules/domain-paths.ts';
import { refusal } from './frame-refusals.ts';
import { type ObjectKind, prefixOf } from './namespaces.ts';
import type { XmlElement } from './xml/element.ts';

/** No client mends more at once; each takes the time of a text. */
const MAX_REFUSALS = 20;

/** What a command is about. */
export type CommandKind = ObjectKind | 'login';
/** A place of the registry's command. */
type Place = DomainPath | ContactPath;

/** How often a child may occur; a list always has at least zero. */
type Occurrence = 'one' | 'maybe' | 'list';
type Children<Spec extends Readonly<Record<string, Occurrence>>> = {
  readonly [Name in keyof Spec]: Spec[Name] extends 'one'
    ? XmlElement
    : Spec[Name] extends 'maybe'
      ? XmlElement | undefined
      : readonly XmlElement[];
};

/** The name of an element in texts: with the usual prefix of its namespace. */
export const qualifiedName = ({ namespace, name }: Pick<XmlElement, 'namespace' | 'name'>): string =>
  `${prefixOf(namespace) ?? namespace}:${name}`;

/**
 * Reads the frame of one command. It collects what is wrong with its elements, and remembers which element each place of
 * the registry's command came from, so that a refusal of the registry names the client's own element.
 */
export class CommandReader {
  /** What the command is about: a domain unless it is said to be something else. */
  kind: CommandKind = 'domain';
  /** At the last one that is told, reading ends. */
  readonly refusals: Refusal[] = [];
  readonly #sources = new Map<string, XmlElement>();
  /** Of refusals of the reader: a command may have many elements of one name. */
  readonly #elements = new Map<Refusal, XmlElement>();

  /** The children of an element by name. Their order is not checked; those of other namespaces are unexpected. */
  children<const Spec extends Readonly<Record<string, Occurrence>>>(
    parent: XmlElement,
    spec: Spec,
  ): Children<Spec> {
    const found = new Map<string, XmlElement[]>(Object.keys(spec).map((name) => [name, []]));
    for (const child of parent.children) {
      const list = child.namespace === parent.namespace ? found.get(child.name) : undefined;
      if (!list || (list.length > 0 && spec[child.name] !== 'list')) this.refuse('unexpectedElement', child);
      else list.push(child);
    }
    const read = Object.entries(spec).map(([name, occurrence]) => {
      const list = found.get(name) ?? [];
      if (occurrence === 'list') return [name, list];
      const [first] = list;
      if (first || occurrence === 'maybe') return [name, first];
      const missing = { namespace: parent.namespace, name, attributes: {}, children: [], text: '' };
      this.refuse('elementMissing', missing);
      return [name, missing];
    });
    return Object.fromEntries(read) as Children<Spec>;
  }

  /** The text of an element without the white space around it; empty is missing. */
  text(element: XmlElement, at?: Place): string {
    const text = this.optionalText(element, at);
    if (text === undefined) this.#missing(element);
    return text ?? '';
  }

  /** As `text`, where nothing is the same as an absent element. */
  optionalText(element: XmlElement | undefined, at?: Place): string | undefined {
    if (!element) return undefined;
    if (at) this.from(at, element);
    this.leaf(element);
    return isBlank(element.text) ? undefined : element.text.trim();
  }

  /** Nothing but text is in it. */
  leaf(element: XmlElement): void {
    for (const child of element.children) this.refuse('unexpectedElement', child);
  }

  /** Nothing but white space is in it. */
  empty(element: XmlElement): void {
    this.leaf(element);
    if (!isBlank(element.text)) this.refuse('unexpectedText', element);
  }

  /** An attribute with one of these values, or its default. */
  choice<const Value extends string>(
    element: XmlElement,
    name: string,
    values: readonly Value[],
    byDefault: NoInfer<Value>,
  ): Value {
    const text = element.attributes[name]?.trim();
    if (text === undefined) return byDefault;
    const chosen = values.find((value) => value === text);
    if (chosen === undefined) this.wrong(element, `one of ${values.join(', ')} in its attribute ${name}`);
    return chosen ?? byDefault;
  }

  /** `<authInfo><pw>`; other forms of authorisation are not supported. */
  authInfo(element: XmlElement | undefined, at?: Place): string | undefined {
    if (!element) return undefined;
    const read = this.children(element, { pw: 'maybe', ext: 'maybe', null: 'maybe' });
    const other = read.ext ?? read.null;
    if (other) this.refuse('unsupportedField', other);
    return this.optionalText(read.pw, at);
  }

  /** Remembers the element that a place of the registry's command came from. */
  from(at: Place, element: XmlElement): void {
    this.#sources.set(at.join('.'), element);
  }

  /** The element that a refusal is about. */
  refusedElement(refused: Refusal): XmlElement | undefined {
    return this.#elements.get(refused) ?? (refused.at ? this.sourceOf(refused.at) : undefined);
  }

  /** The element of a place, or of the nearest place that contains it. */
  sourceOf(at: Path): XmlElement | undefined {
    for (let length = at.length; length > 0; length -= 1) {
      const element = this.#sources.get(at.slice(0, length).join('.'));
      if (element) return element;
    }
    return undefined;
  }

  /** What the registry's parser has made of the command, unless something is wrong with either. */
  require<Value>(parsed: Parsed<Value>): Value {
    requireNone([...this.refusals, ...('refusals' in parsed ? parsed.refusals : [])]);
    if ('value' in parsed) return parsed.value;
    throw new Error('a command that could not be read was not refused');
  }

  refuse(
    name:
      | 'unexpectedElement'
      | 'unexpectedText'
      | 'elementMissing'
      | 'unsupportedField'
      | 'unimplementedOption',
    element: XmlElement,
  ): void {
    this.#add(element, (field) => refusal(name, { field }));
  }

  refuseKind(name: 'hostObjects' | 'delegationSigners', element: XmlElement): void {
    this.#add(element, (field) => refusal(name, { field }));
  }

  wrong(element: XmlElement, expected: string): void {
    this.#add(element, (field) => refusal('wrongSyntax', { field, expected }));
  }

  outOfRange(element: XmlElement, expected: string): void {
    this.#add(element, (field) => refusal('outOfRange', { field, expected }));
  }

  #missing(element: XmlElement): void {
    const field = qualifiedName(element);
    const isKnown = this.refusals.some(
      (each) => each.name === 'elementMissing' && 'field' in each && each.field === field,
    );
    if (!isKnown) this.refuse('elementMissing', element);
  }

  #add(element: XmlElement, make: (field: string) => Refusal): void {
    const made = make(qualifiedName(element));
    this.#elements.set(made, element);
    this.refusals.push(made);
    if (this.refusals.length >= MAX_REFUSALS) requireNone(this.refusals);
  }
}
