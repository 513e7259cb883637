import { requireNone } from '../../../operations/refusal.ts';
import type { Cents } from '../../../platform/values/money.ts';
import { parseLegalDocument } from '../../../registry/legal-documents.ts';
import type { Context } from '../../../registry/operation.ts';
import type { EisData } from '../extensions/eis.ts';
import { refuse } from '../refusals.ts';
import type { Call } from './call.ts';

type Agreed = { readonly fee: Cents } | undefined;

/** Where the policy demands a document: with a registration and with a new registrant. */
export function requireDocument({ policy }: Call, { document }: EisData): void {
  if (policy.legalDocuments.required && !document) refuse('elementMissing', { field: 'eis:legalDocument' });
}

/** The context of a change, with the document that came with the command and the price that the client agreed to. */
export function withDocument(
  { context, policy }: Call,
  document: EisData['document'],
  agreed?: Agreed,
): Context {
  const parsed = document && parseLegalDocument(document, policy);
  if (parsed && 'refusals' in parsed) requireNone(parsed.refusals);
  return {
    ...context,
    ...(parsed && 'value' in parsed && { legalDocument: parsed.value }),
    ...(agreed && { agreedPrice: agreed.fee }),
  };
}
