import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Statement } from '../../src/platform/sql/statement.ts';

/** The pieces of a template of the code, or a constant text. */
export type Part = readonly string[] | string;

/** A text that tests have met, with its own template and those of its parts. */
export type Form = { readonly text: string; readonly parts: readonly Part[] };

/** Where tests note them, each in a file: single test files add to what a whole run has noted. */
export const FORMS = path.join(import.meta.dirname, '../../coverage/statements');

/** A template of the code has its raw pieces, too. */
export const formOf = ({ text, templates }: Statement): Form => ({
  text,
  parts: templates.map((pieces) => ('raw' in pieces ? pieces : (pieces[0] ?? ''))),
});

export const readForms = (): Form[] =>
  existsSync(FORMS)
    ? readdirSync(FORMS).map((file) => JSON.parse(readFileSync(path.join(FORMS, file), 'utf8')) as Form)
    : [];

/** Before a whole run: what the code was before is not proved again. */
export const forgetForms = (): void => rmSync(FORMS, { recursive: true, force: true });
