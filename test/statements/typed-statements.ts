import path from 'node:path';
import ts from 'typescript';
import { json } from '../../src/platform/sql/statement.ts';
import { castOf } from '../../src/platform/sql/values.ts';
import { kindOf } from './kind-of-type.ts';

/** What the code says of a column: how its values are, as `string`, `Date`, `number[]` or `object`. */
export type AssertedColumn = {
  readonly name: string;
  readonly kind: string;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
};

/** A statement or a part of one in the code, with the type that it gives to its rows. */
export type TypedStatement = {
  /** File and line. */
  readonly at: string;
  readonly template: readonly string[];
  readonly columns: readonly AssertedColumn[];
  /** Its rows have the columns of typed parts, too. */
  readonly isGeneric: boolean;
  /** Of a statement without parts: it has one form, whether tests meet it or not. */
  readonly text: string | undefined;
};

export type Code = {
  readonly statements: readonly TypedStatement[];
  /** The keys of all templates of statements and of their parts. */
  readonly templates: ReadonlySet<string>;
};

/** Templates of the same pieces are one. */
export const keyOf = (template: readonly string[]): string => template.join('\0');

/** Reads the files by the compiler. */
export function readCode(root: string, files: readonly string[], options: ts.CompilerOptions): Code {
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const templates = new Set<string>();
  const statements: TypedStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      const template = piecesOf(node.template);
      templates.add(keyOf(template));
      const row = rowOf(checker, node);
      if (row)
        statements.push({ at: placeOf(root, node), template, ...row, text: textOf(checker, node, template) });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) visit(source);
  }
  return { statements, templates };
}

function rowOf(
  checker: ts.TypeChecker,
  node: ts.TaggedTemplateExpression,
): Pick<TypedStatement, 'columns' | 'isGeneric'> | undefined {
  const [row] = checker.getTypeArguments(checker.getTypeAtLocation(node) as ts.TypeReference);
  if (row === undefined || row.flags & ts.TypeFlags.NonPrimitive) return undefined;
  const columns = checker.getPropertiesOfType(row).map((property): AssertedColumn => {
    const type = checker.getTypeOfSymbolAtLocation(property, node);
    return {
      name: property.name,
      kind: kindOf(checker, type),
      isNullable: membersOf(type).some(({ flags }) => flags & ts.TypeFlags.Null),
      isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
    };
  });
  return { columns, isGeneric: isGeneric(row) };
}

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

const isGeneric = (type: ts.Type): boolean =>
  type.isUnionOrIntersection() ? type.types.some(isGeneric) : (type.flags & ts.TypeFlags.Instantiable) !== 0;

/** What statement.ts writes behind the place of a value, by its kind. */
const CASTS: Readonly<Record<string, string>> = {
  string: castOf(''),
  number: castOf(0),
  boolean: castOf(true),
  bigint: castOf(0n),
  bytes: castOf(Buffer.alloc(0)),
  Date: castOf(new Date(0)),
  Json: castOf(json(null)),
};

/** Undefined if it has parts. */
function textOf(
  checker: ts.TypeChecker,
  { template }: ts.TaggedTemplateExpression,
  [first = '', ...pieces]: readonly string[],
): string | undefined {
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  const casts = spans.map(({ expression }) => castOfType(checker, checker.getTypeAtLocation(expression)));
  if (casts.includes(undefined)) return undefined;
  return first + pieces.map((piece, index) => `$${index + 1}${casts[index]}${piece}`).join('');
}

function castOfType(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  const kind = kindOf(checker, type);
  return kind.endsWith('[]') ? '' : CASTS[kind];
}

const piecesOf = (template: ts.TemplateLiteral): string[] =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];

function placeOf(root: string, node: ts.Node): string {
  const file = node.getSourceFile();
  return `${path.relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
