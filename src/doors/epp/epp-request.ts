import { type Refusal, Refused } from '../../operations/refusal.ts';
import { isBlank, isLengthWithin } from '../../platform/values/normalise-text.ts';
import { CommandReader, qualifiedName } from './command-reader.ts';
import { refusal, refuse } from './frame-refusals.ts';
import { dialectOf, isEnvelope, NAMESPACES, type ObjectKind, objectKindOf } from './namespaces.ts';
import type { XmlElement } from './xml/element.ts';

const SESSION_COMMANDS = ['login', 'logout', 'poll'] as const;
const OBJECT_COMMANDS = ['check', 'info', 'create', 'update', 'delete', 'renew', 'transfer'] as const;
type SessionCommand = (typeof SESSION_COMMANDS)[number];
export type ObjectCommand = (typeof OBJECT_COMMANDS)[number];

type Hello = { readonly kind: 'hello'; readonly envelope: string };
export type Command = {
  readonly kind: 'command';
  /** The namespace of the envelope, which the answer has too. */
  readonly envelope: string;
  readonly verb: SessionCommand | ObjectCommand;
  readonly element: XmlElement;
  readonly extensions: readonly XmlElement[];
  readonly clientTransactionId: string | undefined;
  readonly reader: CommandReader;
};

/** A frame that is refused before its command is known; as much of the envelope as could be read. */
export class UnreadableFrame extends Refused {
  override name = 'UnreadableFrame';
  envelope: string = NAMESPACES.envelope.ietf;
  clientTransactionId: string | undefined;
}

/** Of the schema. */
const TRANSACTION_ID_LENGTH = { min: 3, max: 64 };

/** What a frame asks for, as far as it concerns the envelope. */
export function readRequest(root: XmlElement): Hello | Command {
  if (root.name !== 'epp') throw new UnreadableFrame(refusal('malformedFrame'));
  if (!isEnvelope(root.namespace))
    throw new UnreadableFrame(refusal('otherVersion', { version: root.namespace }));
  const envelope = root.namespace;
  let clientTransactionId: string | undefined;
  // Made only where it is thrown: the stack that it records costs as much as the parsing of a frame.
  const unreadable = (reason: Refusal = refusal('malformedFrame')) =>
    Object.assign(new UnreadableFrame(reason), { envelope, clientTransactionId });
  const [content, ...others] = root.children;
  if (!content || others.length > 0 || content.namespace !== envelope) throw unreadable();
  if (content.name === 'hello') {
    const reason = contentOf(content);
    if (reason) throw unreadable(reason);
    return { kind: 'hello', envelope };
  }
  if (content.name !== 'command') throw unreadable();
  const ids = content.children.filter((child) => child.namespace === envelope && child.name === 'clTRID');
  const id = ids[0]?.text.trim() || undefined;
  if (ids.length > 1 || ids[0]?.children.length) throw unreadable();
  if (id !== undefined && !isLengthWithin(id, TRANSACTION_ID_LENGTH)) throw unreadable(wrongId);
  clientTransactionId = id;
  const [element, ...further] = content.children.filter(({ name }) => name !== 'clTRID');
  if (!element || element.namespace !== envelope) throw unreadable();
  const verb = [...SESSION_COMMANDS, ...OBJECT_COMMANDS].find((each) => each === element.name);
  if (verb === undefined) throw unreadable(refusal('unknownCommand'));
  const [extension, ...rest] = further;
  if (rest.length > 0 || (extension && extension.name !== 'extension')) throw unreadable();
  return {
    kind: 'command',
    envelope,
    verb,
    element,
    clientTransactionId,
    extensions: extension?.children ?? [],
    reader: new CommandReader(),
  };
}

/** What stands in an element that is empty by its schema. */
function contentOf(element: XmlElement): Refusal | undefined {
  const [child] = element.children;
  if (child) return refusal('unexpectedElement', { field: qualifiedName(child) });
  return isBlank(element.text) ? undefined : refusal('unexpectedText', { field: qualifiedName(element) });
}

const wrongId = refusal('wrongSyntax', {
  field: 'epp:clTRID',
  expected: `${TRANSACTION_ID_LENGTH.min} to ${TRANSACTION_ID_LENGTH.max} characters`,
});

/** A command about objects, in the namespace that the answer has too. */
export type ObjectRequest = {
  readonly kind: ObjectKind;
  readonly verb: ObjectCommand;
  readonly namespace: string;
  readonly dialect: ReturnType<typeof dialectOf>;
  /** `<domain:create>` and the like. */
  readonly element: XmlElement;
  /** `<create>` and the like, around it. */
  readonly verbElement: XmlElement;
};

export function readObjectRequest({ element: verbElement, verb }: Command): ObjectRequest {
  const [element, ...others] = verbElement.children;
  if (!element || others.length > 0) return refuse('malformedFrame');
  const { namespace } = element;
  const kind = objectKindOf(namespace);
  if (kind === undefined) return refuse('unimplementedService', { namespace });
  if (element.name !== verb) return refuse('malformedFrame');
  return {
    kind,
    verb: element.name as ObjectCommand,
    namespace,
    dialect: dialectOf(namespace),
    element,
    verbElement,
  };
}

/** Whether a command changes something; the log says so, to find the commands that a recovery has lost. */
export function isWrite({ verb, element }: Command): boolean {
  const operation = element.attributes.op?.trim();
  switch (verb) {
    case 'create':
    case 'update':
    case 'delete':
    case 'renew':
      return true;
    case 'transfer':
      return operation === 'request';
    case 'poll':
      return operation === 'ack';
    case 'login':
      return element.children.some(({ name }) => name === 'newPW');
    default:
      return false;
  }
}
