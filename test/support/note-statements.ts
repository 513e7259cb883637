import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Statement } from '../../src/platform/sql/statement.ts';
import { FORMS, formOf } from '../statements/forms.ts';

// A setup file of vitest, the first one. Each form of a statement that tests meet becomes a file: `npm run statements`
// proves them.
const CHANNEL = 'cadastre.statement.compiled';

function noteForm(message: unknown): void {
  const content = JSON.stringify(formOf(message as Statement));
  const file = path.join(FORMS, createHash('sha256').update(content).digest('base64url'));
  if (!existsSync(file)) writeFileSync(file, content);
}

mkdirSync(FORMS, { recursive: true });
subscribe(CHANNEL, noteForm);
// The next file of this worker subscribes again.
afterAll(() => {
  unsubscribe(CHANNEL, noteForm);
});
