import type { Cents } from '../../../platform/values/money.ts';
import type { Context } from '../../../registry/operation.ts';
import type { EisData } from '../extensions/eis.ts';
import type { Call } from './object-handler.ts';

type Agreed = { readonly fee: Cents } | undefined;

/** The context of a change, with the document that came with the command and the price that the client agreed to. */
export const changeContext = ({ context }: Call, { document }: EisData, agreed?: Agreed): Context => ({
  ...context,
  ...(document && { legalDocument: document }),
  ...(agreed && { agreedPrice: agreed.fee }),
});
