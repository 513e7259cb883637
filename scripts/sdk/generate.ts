/** Writes the generated files of packages/sdk: npm run sdk:generate. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMON_REFUSALS } from '../../src/doors/registrar-api/openapi.ts';
import { apiDocument } from '../../test/support/endpoints.ts';
import type { Document } from './calls.ts';
import { emitGroups, emitTypes } from './emit.ts';
import { emitEvents } from './emit-events.ts';
import { emitReference } from './emit-reference.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const BIOME = path.join(ROOT, 'node_modules/.bin/biome');

/** The generated files by their path, as the formatter leaves them. */
export function generateSdk(): Map<string, string> {
  const document = apiDocument() as unknown as Document;
  const files = {
    'packages/sdk/src/generated/types.ts': emitTypes(document, COMMON_REFUSALS),
    'packages/sdk/src/generated/groups.ts': emitGroups(document),
    'packages/sdk/src/generated/events.ts': emitEvents(document),
    'packages/sdk/types/reference.ts': emitReference(document),
  };
  return new Map(Object.entries(files).map(([file, code]) => [file, formatted(file, code)]));
}

const formatted = (file: string, code: string): string =>
  execFileSync(BIOME, ['format', `--stdin-file-path=${path.join(ROOT, file)}`], {
    input: code,
    encoding: 'utf8',
    cwd: ROOT,
  });

if (import.meta.main) for (const [file, code] of generateSdk()) writeFileSync(path.join(ROOT, file), code);
