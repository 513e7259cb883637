/** The lines of /docs as one module, so that the compiler reads what the reference shows. */
import { clientLines } from '../../src/doors/pages/reference/client-lines.ts';
import { readApi } from '../../src/doors/pages/reference/model.ts';
import { HEAD } from './emit.ts';

export function emitReference(document: object): string {
  const { calls, resolve } = readApi(document);
  const functions = calls.map((call) => {
    const lines = clientLines(call, resolve);
    const returned = lines.startsWith('const { data }') ? 'return data;' : '';
    const printer = lines.includes('console') ? ', console: Console' : '';
    return `export async function ${call.id}(registry: Registry${printer}) {\n${lines}\n${returned}\n}\n`;
  });
  return [HEAD, "import type { Registry } from 'cadastre-sdk';\n\n", ...functions].join('');
}
