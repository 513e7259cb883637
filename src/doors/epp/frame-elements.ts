import { isEnvelope } from './namespaces.ts';
import type { XmlElement } from './xml/element.ts';
import { MAX_ELEMENTS } from './xml/parse.ts';

/** Of a frame about one object, and of any until it is known what it is. */
const FEW = 64;
/** Only a check counts in the rate limit by its elements. */
const MOST: ReadonlyMap<string, number> = new Map([
  ['login', 256],
  ['create', 2_000],
  ['update', 2_000],
  ['check', MAX_ELEMENTS],
]);

/** How many elements a frame may have, by its open ones: a tree of many takes milliseconds, even in a small frame. */
export function mostElements([root, command]: readonly XmlElement[]): number {
  if (root?.name !== 'epp' || !isEnvelope(root.namespace)) return FEW;
  if (command?.name !== 'command' || command.namespace !== root.namespace) return FEW;
  const verb = command.children.find(({ name }) => name !== 'clTRID');
  return verb?.namespace === root.namespace ? (MOST.get(verb.name) ?? FEW) : FEW;
}
