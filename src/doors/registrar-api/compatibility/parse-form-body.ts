import { hasMoreFields } from '../../html/form-fields.ts';
import { requireStorable } from '../../http/json-body.ts';
import { refuse } from '../registrar-api-refusals.ts';

type Value = string | Value[] | Members;
type Members = Map<string, Value>;

const EXPECTED = 'a form whose names are in brackets, such as contact[name], in UTF-8';
/** Fields cost far more time than values of JSON, in which longer bodies come. */
export const MAX_FORM_BYTES = 128 * 1024;
const MAX_FIELDS = 1_100;
/** Deeper than any valid body; the same bound as for JSON. */
const MAX_DEPTH = 32;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

const refuseForm = (): never => refuse('wrongSyntax', { field: 'body', expected: EXPECTED });

/**
 * Parses a form in bracket notation: `a[b]` is a member, `a[]` an item, and `a[][b]` a member of the last item, or of
 * the next if the last has it. Indexes (`a[0][b]`) make lists too. All scalars are texts. Size and fields are bounded
 * before anything is parsed.
 */
export function parseFormBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (bytes.length > MAX_FORM_BYTES) refuse('bodyTooLarge', { mebibytes: MAX_FORM_BYTES / 1024 ** 2 });
  const text = textOf(bytes);
  if (hasMoreFields(text, MAX_FIELDS)) refuse('tooManyValues', { most: MAX_FIELDS });
  const root: Members = new Map();
  for (const field of text.split('&')) {
    if (field === '') continue;
    const end = field.includes('=') ? field.indexOf('=') : field.length;
    const [, first = '', rest = ''] = NAME.exec(decoded(field.slice(0, end))) ?? refuseForm();
    const steps = rest === '' ? [] : rest.slice(1, -1).split('][');
    if (steps.length >= MAX_DEPTH) refuseForm();
    put(root, first, steps, decoded(field.slice(end + 1)));
  }
  const body = plain(root);
  requireStorable(body);
  return body;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return refuseForm();
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuseForm();
  }
}

function put(members: Members, name: string, [step, ...rest]: readonly string[], value: string): void {
  const present = members.get(name);
  if (step === undefined) {
    if (present !== undefined && typeof present !== 'string') refuseForm();
    members.set(name, value);
    return;
  }
  if (step === '') {
    const list = present ?? [];
    members.set(name, list);
    append(Array.isArray(list) ? list : refuseForm(), rest, value);
  } else {
    const inner = present ?? new Map<string, Value>();
    members.set(name, inner);
    put(inner instanceof Map ? inner : refuseForm(), step, rest, value);
  }
}

function append(list: Value[], [step, ...rest]: readonly string[], value: string): void {
  if (step === undefined) {
    // `a[]=` is the only way in which a form can express an empty list.
    if (value !== '') list.push(value);
    return;
  }
  if (step === '') refuseForm();
  const last = list.at(-1);
  const isNext = !(last instanceof Map) || hasMember(last, [step, ...rest]);
  const item: Members = isNext ? new Map() : last;
  if (isNext) list.push(item);
  put(item, step, rest, value);
}

/** Whether the item has this member already; a list within it can always take another item. */
function hasMember(item: Members, steps: readonly string[]): boolean {
  if (steps.includes('')) return false;
  let value: Value | undefined = item;
  for (const step of steps) value = value instanceof Map ? value.get(step) : undefined;
  return value !== undefined;
}

function plain(value: Value): unknown {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plain);
  const names = [...value.keys()];
  const indexes = new Set(names.map((name) => (/^\d{1,5}$/.test(name) ? Number(name) : -1)));
  const isList = indexes.size === names.length && names.length > 0 && !indexes.has(-1);
  if (!isList) return Object.fromEntries(Array.from(value, ([name, item]) => [name, plain(item)]));
  return [...value].toSorted(([one], [other]) => Number(one) - Number(other)).map(([, item]) => plain(item));
}
