/**
 * Answers may gain members and lose none: what they have gained since they were recorded is told apart from what has
 * changed. A recording is text; its answers are JSON in which varying numbers are names, such as `"id":<n>`.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };
type Members = { readonly [member: string]: Json };

export type Comparison = {
  /** The recording of now, without the members that its answers have gained. */
  readonly text: string;
  /** Which answers have gained which members. */
  readonly additions: readonly string[];
};

/** `nameOf` names the call of a block by its method and path. */
export function withoutAdditions(
  actual: string,
  recorded: string,
  nameOf: (method: string, path: string) => string,
): Comparison {
  const before = blocksOf(recorded.trimEnd());
  const additions = new Set<string>();
  const text = blocksOf(actual.trimEnd()).map((block, index) => {
    const [own, old] = [linesOf(block), linesOf(before[index] ?? '')];
    const isSameRequest = own.head === old.head;
    const gained = isSameRequest ? gainedBy(own.body, old.body) : undefined;
    if (gained === undefined) return block;
    const [, method = '', path = ''] = /^### [^:]+: (\S+) (\S+)/.exec(own.head) ?? [];
    const status = /^\d{3}$/m.exec(own.head)?.[0];
    for (const member of gained) additions.add(`${nameOf(method, path)} ${status}: ${member}`);
    return `${old.head}\n${old.body}`;
  });
  return { text: `${text.join('\n\n')}\n`, additions: [...additions].sort() };
}

const blocksOf = (recording: string): string[] => recording.split(/\n\n(?=### )/);

function linesOf(block: string): { readonly head: string; readonly body: string } {
  const end = block.lastIndexOf('\n');
  return { head: block.slice(0, end), body: block.slice(end + 1) };
}

/** The paths of the members that an answer has more; undefined if it differs in anything else. */
export function gainedBy(actual: string, recorded: string): string[] | undefined {
  const [own, old] = [parsed(actual), parsed(recorded)];
  return own === undefined || old === undefined ? undefined : compare(own, old, '');
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body.replace(/(?<=":)<\w+>/g, '"$&"')) as Json;
  } catch {
    return undefined;
  }
}

const isMembers = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compare(own: Json, old: Json, path: string): string[] | undefined {
  if (Array.isArray(own) && Array.isArray(old)) {
    if (own.length !== old.length) return undefined;
    return joined(own.map((item, index) => compare(item, old[index] ?? null, `${path}[]`)));
  }
  if (!isMembers(own) || !isMembers(old)) return own === old ? [] : undefined;
  const kept = Object.keys(own).filter((name) => name in old);
  // The order of members is part of an answer, byte for byte.
  if (kept.join() !== Object.keys(old).join()) return undefined;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const gained = Object.keys(own)
    .filter((name) => !(name in old))
    .map(at);
  return joined([gained, ...kept.map((name) => compare(own[name] ?? null, old[name] ?? null, at(name)))]);
}

const joined = (lists: readonly (readonly string[] | undefined)[]): string[] | undefined =>
  lists.every((list) => list !== undefined) ? lists.flat() : undefined;
