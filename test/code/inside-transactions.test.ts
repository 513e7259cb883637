import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/** The functions of the runner that are given the work of a transaction. */
const RUNNERS = ['runTransaction', 'runRegistryTransaction'];
const TRANSACTIONS = ['inTransaction', 'operatorTransaction'];

/** Computes for at most some hundred milliseconds, in turns with other requests: the answer that it sorts is stored in the transaction. */
const COMPUTATIONS = ['sortCooperatively'];

/** A transfer of a zone waits for its reader, for a minute at most: it reads one snapshot and holds no lock. */
const STREAMS = ['pages.put'];

/**
 * Types that are computed from schemas are those of data: never a promise, nor a handle. Working them out takes two
 * thirds of the time, so that an empty library stands here for it, and what it makes has no type.
 */
const NO_SCHEMAS = [path.join(import.meta.dirname, 'no-schemas.d.ts')];
const WITHOUT_SCHEMAS = { typebox: NO_SCHEMAS, 'typebox/*': NO_SCHEMAS };

/** Finds what is awaited inside transactions: from each `begin` or runner, through every function that is given its handle. */
class TransactionSearch {
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #searched = new Set<ts.Node>();
  readonly violations: string[] = [];
  readonly unsent: string[] = [];
  transactions = 0;

  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    this.#program = ts.createProgram({ rootNames: files, options: { ...options, paths: WITHOUT_SCHEMAS } });
    this.#checker = this.#program.getTypeChecker();
  }

  run(): void {
    for (const file of this.#program.getSourceFiles())
      if (isOurs(file))
        this.#each(file, (node) => {
          this.#searchBegin(node);
          this.#searchRunner(node);
          this.#searchTransact(node);
          this.#searchUnsent(node);
        });
  }

  #searchBegin(node: ts.Node): void {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (node.expression.name.text !== 'begin' || !this.#isExecutor(node.expression.expression)) return;
    this.transactions += 1;
    for (const work of node.arguments) this.#search(this.#functionOf(work) ?? work);
  }

  #searchRunner(node: ts.Node): void {
    if (!ts.isCallExpression(node) || !RUNNERS.includes(node.expression.getText())) return;
    this.#searchWork(...node.arguments);
  }

  /** The member `transact` of what `inTransaction` or an operation of operators is given. */
  #searchTransact(node: ts.Node): void {
    if (!ts.isCallExpression(node) || !TRANSACTIONS.includes(node.expression.getText())) return;
    this.#each(node, (member) => {
      if (ts.isPropertyAssignment(member) && member.name.getText() === 'transact')
        this.#searchWork(member.initializer);
      if (ts.isMethodDeclaration(member) && member.name.getText() === 'transact') {
        this.transactions += 1;
        this.#search(member);
      }
    });
  }

  #searchWork(...given: readonly ts.Expression[]): void {
    const works = given.flatMap((each) => this.#functionOf(each) ?? []);
    if (works.length > 0) this.transactions += 1;
    for (const work of works) this.#search(work);
  }

  /** A statement is a value: awaiting it, or an expression statement of it, sends nothing. */
  #searchUnsent(node: ts.Node): void {
    if (!ts.isAwaitExpression(node) && !ts.isExpressionStatement(node)) return;
    const { expression } = node;
    if (ts.isTaggedTemplateExpression(expression) && expression.tag.getText() === 'sql')
      this.#report(node, this.unsent);
  }

  #search(work: ts.Node): void {
    if (this.#searched.has(work) || !isOurs(work.getSourceFile())) return;
    this.#searched.add(work);
    this.#each(work, (node) => {
      if (ts.isCallExpression(node) && this.#isPromise(node)) this.#judge(node);
    });
  }

  /** A promise inside a transaction must be one that the handle made, or a function of ours that is given the handle. */
  #judge(call: ts.CallExpression): void {
    const { expression } = call;
    if ([...COMPUTATIONS, ...STREAMS].includes(expression.getText())) return;
    if (ts.isPropertyAccessExpression(expression)) {
      if (this.#isExecutor(expression.expression)) {
        if (!ts.isIdentifier(expression.expression)) this.#report(call);
        return;
      }
      if (this.#isPromise(expression.expression) || expression.expression.getText() === 'Promise') return;
    }
    const given = call.arguments.filter((argument) => this.#isExecutor(argument));
    if (given.length === 0 || given.some((argument) => !ts.isIdentifier(argument))) this.#report(call);
    const declared = this.#functionOf(expression);
    if (declared) this.#search(declared);
  }

  #report(node: ts.Node, to = this.violations): void {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const text = node.getText().replaceAll(/\s+/g, ' ').slice(0, 80);
    to.push(`${path.relative(ROOT, file.fileName)}:${line + 1} ${text}`);
  }

  #functionOf(node: ts.Node): ts.Node | undefined {
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return node;
    let symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    const declaration = symbol?.valueDeclaration;
    if (declaration && ts.isVariableDeclaration(declaration)) return declaration.initializer;
    return declaration && ts.isFunctionDeclaration(declaration) ? declaration : undefined;
  }

  #isExecutor(node: ts.Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    return ['rows', 'maybe', 'script'].every((name) => type.getProperty(name) !== undefined);
  }

  #isPromise(node: ts.Node): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    return type.getProperty('then') !== undefined && type.getProperty('row') === undefined;
  }

  #each(node: ts.Node, visit: (node: ts.Node) => void): void {
    ts.forEachChild(node, (child) => {
      visit(child);
      this.#each(child, visit);
    });
  }
}

const isOurs = (file: ts.SourceFile): boolean => {
  const from = path.relative(ROOT, file.fileName);
  return from.startsWith('src/') && !from.startsWith('src/platform/sql/');
};

describe('inside a transaction', () => {
  test('success: nothing is awaited but SQL on its own connection, and no statement is left unsent', () => {
    const search = new TransactionSearch([path.join(ROOT, 'src/main.ts')]);
    search.run();
    expect(search.transactions).toBeGreaterThan(40);
    expect(search.violations).toEqual([]);
    expect(search.unsent).toEqual([]);
  }, 120_000);
});
