import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** Beyond every header and field. Quadratic backtracking takes seconds on it, a linear expression about a millisecond. */
const LENGTH = 30_000;
const MAX_MS = 250;
const ATTEMPTS = [1, 2, 3];
const SAMPLES = { numRuns: 2, seed: 1 };
/** Endings that no pattern expects, so that a match fails at the very end. */
const MISMATCH = '\n!\0';

type Expression = { readonly where: string; readonly source: string; readonly flags: string };

/** Texts around a match, for expressions that consume nothing, or with classes that the generator does not know or takes seconds over. */
const KNOWN_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  '[^\\t\\n\\r\\u{20}-\\u{D7FF}\\u{E000}-\\u{FFFD}\\u{10000}-\\u{10FFFF}]': ['a\u0001'],
  '[&<>"\\t\\n\\r]|[^\\u{20}-\\u{D7FF}\\u{E000}-\\u{FFFD}\\u{10000}-\\u{10FFFF}]': ['a&\u0001'],
  '[&<>"\\uD800-\\uDFFF\\uFFFE\\uFFFF]|[^\\u0020-\\uFFFF]': ['a&\u0001'],
  '[^\\P{Cc}\\n]|[\\p{Cf}\\u2028\\u2029]': ['a\u0001\u200f'],
  '^[^\\s@<>()[\\]\\\\,;:"\\p{C}]{1,64}@[^\\s@<>()[\\]\\\\,;:"\\p{C}]{1,255}$': ['V@Q', 'H@v.'],
  '^([^<>@()[\\]\\\\,;:"\\p{C}]{1,200}) <([^<>]+)>$': ['V <Q>', 'H <v.>'],
  '\\$([A-Za-z_]\\w*)?\\$[\\s\\S]*?\\$\\1\\$': ['$a$x$a$', '$$x$$'],
  '(?<=\\/)': ['a/'],
  '(?<=\\.)': ['a.'],
  '(?<=[a-z])(?=[A-Z])': ['aA'],
};

describe('every regular expression is linear in its input', () => {
  const expressions = expressionsIn(SRC);

  test('success: there are some to look at', () => {
    expect(expressions.length).toBeGreaterThan(100);
  });

  test.each(
    expressions.map((expression) => [`/${expression.source}/${expression.flags}`, expression] as const),
  )('success: %s', (_name, expression) => {
    expect(slowInput(expression), expression.where).toBeUndefined();
  });

  test.each([
    ['\\s*,\\s*', ''],
    ['(?:^|,)\\s*gzip\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)', 'i'],
    ['=+$', ''],
    ['^(a+)+$', ''],
  ])('failure: /%s/%s is found to be slow', (source, flags) => {
    expect(slowInput({ where: 'here', source, flags }, [1])).toBeDefined();
  });
});

/** Repeats every place of matching texts; the first input that takes too long, undefined where there is none. */
function slowInput({ source, flags }: Expression, attempts = ATTEMPTS): string | undefined {
  const context = createContext({ expression: new RegExp(source, flags), inputs: [] });
  const takesTooLong = (inputs: readonly string[]): boolean => {
    context.inputs = inputs;
    try {
      EXECUTION.runInContext(context, { timeout: MAX_MS });
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return true;
    }
  };
  const tried = inputsOf(source);
  // Where all together take no longer than one may, none is slow: an interruption costs more to prepare than most matches.
  if (!takesTooLong(tried.map(({ input }) => input))) return undefined;
  // A slow expression is slow again; one that was delayed by a busy machine is not.
  return tried.find(({ input }) => attempts.every(() => takesTooLong([input])))?.description;
}

function inputsOf(source: string): { readonly input: string; readonly description: string }[] {
  return samplesOf(source).flatMap((sample) =>
    Array.from(sample.split(''), (char, at) => {
      const start = sample.slice(0, at) + char.repeat(LENGTH);
      return ['', sample.slice(at + 1)].map((end) => ({
        input: start + end + MISMATCH,
        description: `${sample}, repeated at ${at}, followed by "${end}"`,
      }));
    }).flat(),
  );
}

/** Backtracking can be interrupted, so that an expression that never ends fails like any other. */
const EXECUTION = new Script(
  'for (const input of inputs) { expression.lastIndex = 0; expression.exec(input); }',
);

function samplesOf(source: string): readonly string[] {
  const known = KNOWN_SAMPLES[source];
  if (known) return known;
  const consuming = new RegExp(withEveryPart(withoutAssertions(source)), source.includes('\\p{') ? 'u' : '');
  return [...new Set(fc.sample(fc.stringMatching(consuming, { size: 'xsmall' }), SAMPLES))];
}

/** Without \b, (?=…), (?!…), (?<=…) and (?<!…), which consume nothing and which the generator does not know. */
function withoutAssertions(source: string): string {
  if (source.includes('\\b')) return withoutAssertions(source.replaceAll('\\b', ''));
  const start = /\(\?<?[=!]/.exec(source);
  if (!start) return source;
  let depth = 0;
  for (let at = start.index; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '(') depth += 1;
    else if (source[at] === ')') depth -= 1;
    if (depth === 0) return withoutAssertions(source.slice(0, start.index) + source.slice(at + 1));
  }
  throw new Error(`${source} does not close its groups`);
}

/** Makes optional parts mandatory, so that every sample has something in each place that can be repeated. */
function withEveryPart(source: string): string {
  let [isClass, text] = [false, ''];
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (char === '[') isClass = true;
    if (char === ']') isClass = false;
    if (char === '\\') text += char + source[++at];
    else if (!isClass && char === '*') text += '+';
    else if (!isClass && char === '?' && source[at - 1] !== '(') continue;
    else text += !isClass && char === '0' && source[at - 1] === '{' ? '1' : char;
  }
  return text;
}

/** The literals, and the patterns of schemas. Expressions put together at run time would escape this test: there are none. */
function expressionsIn(folder: string): Expression[] {
  const found = new Map<string, Expression>();
  for (const file of globSync(path.join(folder, '**/*.ts'))) {
    const where = path.relative(folder, file);
    const parsed = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
    const add = (source: string, flags: string) => found.set(`${source}/${flags}`, { where, source, flags });
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        add(node.text.slice(1, end), node.text.slice(end + 1));
      }
      if (
        ts.isPropertyAssignment(node) &&
        node.name.getText(parsed) === 'pattern' &&
        ts.isStringLiteral(node.initializer)
      )
        add(node.initializer.text, 'u');
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(parsed) === 'RegExp'
      )
        throw new Error(`${where} puts an expression together at run time`);
      ts.forEachChild(node, visit);
    };
    visit(parsed);
  }
  return [...found.values()];
}
