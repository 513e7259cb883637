import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../docs/markdown.ts';

/** What the program reads at run time: its own files, relative to the root, and the packages that these import. */
export type ProgramFiles = { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> };

const IMPORT = /^(?:(?:import|export (?:type )?[*{]|\}).* from |import )'([^']+)'|\bimport\('([^']+)'\)/gm;
/** Files that are found relative to a module. */
const NEIGHBOUR = /(?:import\.meta\.dirname,\s*'([^']+)'|new URL\('([^']+)',\s*import\.meta\.url)/g;
/** Files of packages that are read, not imported. */
const RESOLVED = /'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w.-]+)+\.(?:ttf|json|wasm)'/g;

/** Follows the imports from src/main.ts on, dynamic ones and types too. */
export function programFiles(): ProgramFiles {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const waiting = ['src/main.ts'];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const besides = (found: string) => path.join(path.dirname(file), found);
    for (const [, fixed, dynamic] of text.matchAll(IMPORT)) {
      const found = fixed ?? dynamic ?? '';
      if (found.startsWith('.')) waiting.push(besides(found));
      else if (!found.startsWith('node:')) packages.add(packageOf(found));
    }
    for (const [, one, other] of text.matchAll(NEIGHBOUR)) files.add(besides(one ?? other ?? ''));
    for (const [, found = ''] of text.matchAll(RESOLVED)) packages.add(found);
  }
  return { files, packages };
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
