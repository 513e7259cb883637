import { canBeNull } from './can-be-null.ts';
import type { DescribedColumn, Description } from './describe-columns.ts';
import type { Form, Part } from './forms.ts';
import { type AssertedColumn, type Code, keyOf, type TypedStatement } from './typed-statements.ts';

type Describe = (text: string) => Promise<Description>;

/** What is wrong with the statements of the code, in the forms that tests have met, by the place in the code. */
export async function findContradictions(
  code: Code,
  forms: readonly Form[],
  describe: Describe,
): Promise<string[]> {
  const known = new KnownForms(code, forms);
  const plain = code.statements.flatMap(({ template, text }) =>
    text === undefined ? [] : [{ text, parts: [template] }],
  );
  const proved = new Set<TypedStatement>();
  const errors = new Map<TypedStatement, string>();
  const found: string[] = [];
  for (const form of [...plain, ...forms]) {
    const typed = known.typedIn(form);
    if (typed.length === 0) continue;
    const description = await describe(form.text);
    for (const statement of typed) {
      if ('error' in description) errors.set(statement, description.error);
      else proved.add(statement);
    }
    if ('columns' in description) found.push(...compareRows(typed, description.columns, form.text));
  }
  // Parts are refused where they stand alone, and tests make tables of their own: one form is enough.
  const unproved = code.statements.filter((statement) => !proved.has(statement));
  const reasons = unproved.map((one) => `${one.at}: ${errors.get(one) ?? 'no test has met it'}`);
  return [...new Set([...found, ...reasons])].sort();
}

class KnownForms {
  readonly #code: Code;
  readonly #statements: ReadonlyMap<string, readonly TypedStatement[]>;
  /** Those of constant parts, which were compiled by themselves, by their texts. */
  readonly #constants: ReadonlyMap<string, Form>;

  constructor(code: Code, forms: readonly Form[]) {
    this.#code = code;
    this.#statements = Map.groupBy(code.statements, ({ template }) => keyOf(template));
    const written = forms.filter((form) => !form.parts.includes(form.text) && this.#isOfCode(form.parts));
    this.#constants = new Map(written.map((form) => [form.text, form]));
  }

  /** The statements that a form is, and those whose rows are part of its own; none if the code was changed since. */
  typedIn({ parts }: Form): readonly TypedStatement[] {
    const all = this.#withConstants(parts);
    if (!this.#isOfCode(all)) return [];
    const keys = new Set(all.filter((part) => typeof part === 'object').map(keyOf));
    const [own = [], ...others] = [...keys].map((key) => this.#statements.get(key) ?? []);
    return own.some(({ isGeneric }) => isGeneric) ? [...own, ...others.flat()] : own;
  }

  #withConstants(parts: readonly Part[]): Part[] {
    return parts.flatMap((part) => {
      const constant = typeof part === 'string' ? this.#constants.get(part) : undefined;
      return constant ? this.#withConstants(constant.parts) : [part];
    });
  }

  #isOfCode(parts: readonly Part[]): boolean {
    return parts.every((part) => typeof part === 'string' || this.#code.templates.has(keyOf(part)));
  }
}

function compareRows(
  typed: readonly TypedStatement[],
  described: readonly DescribedColumn[],
  text: string,
): string[] {
  const asserted = new Set(typed.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const unread = described.filter(({ name }) => asserted.size > 0 && !asserted.has(name));
  return typed.flatMap(({ at, columns }) => [
    ...columns.flatMap((column) => compareColumn(column, described, text)).map((line) => `${at}: ${line}`),
    ...unread.map(({ name }) => `${at}: no type has the column "${name}"`),
  ]);
}

function compareColumn(
  { name, kind, isNullable, isOptional }: AssertedColumn,
  described: readonly DescribedColumn[],
  text: string,
): string[] {
  const shown = described.filter((one) => one.name === name);
  const [column] = shown;
  if (column === undefined) return isOptional ? [] : [`there is no column "${name}"`];
  if (shown.length > 1) return [`there are ${shown.length} columns "${name}"`];
  const { type, source } = column;
  const isRead = isReadAs(column.kind, kind);
  const isNull = source && !isNullable && kind !== 'unknown' && canBeNull(source, text);
  return [
    ...(isRead ? [] : [`"${name}" is ${type}, which is read as ${column.kind}; the type says ${kind}`]),
    ...(isNull
      ? [`"${name}" is ${source.table}.${source.column}, which can be null; the type says that it cannot`]
      : []),
  ];
}

function isReadAs(described: string, asserted: string): boolean {
  if (asserted === 'unknown' || asserted.split(' | ').includes(described)) return true;
  // Its members are what was written, but never a Date.
  if (described === 'json') return !/Date|bytes|bigint/.test(asserted);
  return described === 'json[]' && asserted.endsWith('[]') && !/Date|bytes|bigint/.test(asserted);
}
