import type { FastifyRequest } from 'fastify';
import type { FormInput } from './console-page.ts';
import { readForm } from './input.ts';

/** With it the script asks for the preview of a form while it is filled in. */
const DRY_RUN_HEADER = 'x-dry-run';

export const isDryRun = ({ headers }: FastifyRequest): boolean => headers[DRY_RUN_HEADER] !== undefined;

/** The form as if its preview were asked for by its button: whatever it says, it is not carried out. */
export function readDryRun(request: FastifyRequest): FormInput {
  const form = readForm(request);
  return { ...form, field: (name) => (name === 'step' ? 'preview' : form.field(name)) };
}
