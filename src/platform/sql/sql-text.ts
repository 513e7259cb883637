/** One statement of a script. */
export type ScriptStatement = {
  /** As written, without the comments before it. */
  readonly text: string;
  /** In lower case, without comments, with single spaces and emptied literals: can be searched by expressions. */
  readonly skeleton: string;
};

type Token = { readonly kind: 'comment' | 'literal' | 'name' | 'end' | 'text'; readonly text: string };

const TOKENS = [
  ['comment', /--[^\n]*/y],
  ['literal', /[eE]'(?:[^'\\]|\\.|'')*'/y],
  ['literal', /'(?:[^']|'')*'/y],
  ['literal', /\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/y],
  ['name', /"(?:[^"]|"")*"/y],
  ['text', /[A-Za-z_][\w$]*/y],
  ['end', /;/y],
  ['text', /\s+/y],
  ['text', /[\s\S]/y],
] as const;

/** Splits a script at its semicolons, except those in literals, quoted names and comments. */
export function splitStatements(script: string): ScriptStatement[] {
  const statements: ScriptStatement[] = [];
  let [text, skeleton] = ['', ''];
  const finish = () => {
    const searchable = skeleton.replaceAll(/\s+/g, ' ').trim();
    if (searchable !== '') statements.push({ text: text.trim(), skeleton: searchable });
    [text, skeleton] = ['', ''];
  };
  for (const token of tokensOf(script)) {
    if (token.kind === 'end') finish();
    else {
      if (skeleton.trim() !== '' || token.kind !== 'comment') text += token.text;
      skeleton += searchableText(token);
    }
  }
  finish();
  return statements;
}

function searchableText({ kind, text }: Token): string {
  if (kind === 'comment') return ' ';
  if (kind === 'literal') return "''";
  return kind === 'name' ? text : text.toLowerCase();
}

function* tokensOf(script: string): Generator<Token> {
  let at = 0;
  while (at < script.length) {
    if (script.startsWith('/*', at)) {
      const end = endOfBlockComment(script, at);
      yield { kind: 'comment', text: script.slice(at, end) };
      at = end;
      continue;
    }
    const token = tokenAt(script, at);
    yield token;
    at += token.text.length;
  }
}

function tokenAt(script: string, at: number): Token {
  for (const [kind, expression] of TOKENS) {
    expression.lastIndex = at;
    const found = expression.exec(script);
    if (found) return { kind, text: found[0] };
  }
  throw new Error('every character is a token');
}

/** Block comments nest. */
function endOfBlockComment(script: string, start: number): number {
  let depth = 0;
  for (let at = start; at < script.length; at++) {
    if (script.startsWith('/*', at)) [depth, at] = [depth + 1, at + 1];
    else if (script.startsWith('*/', at)) {
      [depth, at] = [depth - 1, at + 1];
      if (depth === 0) return at + 1;
    }
  }
  return script.length;
}

/** Splits a skeleton at its commas, except those in parentheses. */
export function splitAtCommas(skeleton: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of skeleton) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
