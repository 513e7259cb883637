import type { Outcome, Quote } from '../../operations/run-operation.ts';
import type { SortColumn } from '../../platform/paging/order.ts';
import { type Position, readPosition, writePosition } from '../../platform/paging/position.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Context } from '../../registry/operation.ts';
import type { Answer } from '../http/http-answer.ts';
import { type Presentation, perform as performOperation } from '../http/perform.ts';
import { SUCCESS_TEXT } from './envelope.ts';
import { PREFIX } from './prefix.ts';
import { refuse } from './registrar-api-refusals.ts';

/** Runs an operation for a request, and answers with its result; a dry run with its price too. */
export async function perform<Result, Stored extends object>(
  context: Context,
  render: (result: Result) => object,
  run: (context: Context) => Promise<Outcome<Result>>,
  further: Omit<Presentation<Result, Stored>, 'render'> = {},
): Promise<Answer> {
  const { data, isReplay, quote } = await performOperation(context, { render, ...further }, run);
  return {
    data: quote ? { ...data, dry_run: renderQuote(quote) } : data,
    message: messageOf(data),
    isReplay,
  };
}

/** A success that no operation had to bring about. */
export const unchanged = (data: object): Answer => ({ data, message: messageOf(data) });

/** The text of an answer while the registrant's confirmation is pending. */
export const PENDING_TEXT = `${SUCCESS_TEXT}; action pending`;

const messageOf = (data: object): string =>
  'domain' in data && typeof data.domain === 'object' && data.domain !== null && 'pending' in data.domain
    ? PENDING_TEXT
    : SUCCESS_TEXT;

const renderQuote = ({ price, balanceAfter }: Quote) => ({
  price: toDecimal(price),
  balance_after: toDecimal(balanceAfter),
});

type ListQuery = { readonly limit: number; readonly sort?: string } & Readonly<
  Record<string, string | number | boolean | undefined>
>;

/** The position that a client sends back; refused unless we issued it for this order. */
export function positionIn(
  text: string | undefined,
  type: SortColumn['type'],
  sort?: string,
): Position | undefined {
  if (text === undefined) return undefined;
  return (
    readPosition(text, type, sort) ??
    refuse('wrongSyntax', { field: 'after', expected: 'what the Link header of this list told' })
  );
}

/**
 * The Link header to the next page, if any: it continues after the last item, whatever is inserted or deleted
 * meanwhile.
 */
export function nextPage(
  path: string,
  query: ListQuery,
  next: Position | undefined,
): Readonly<Record<string, string>> {
  if (!next) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries<ListQuery[string]>({
    ...query,
    after: writePosition(next, query.sort),
  })) {
    if (value !== undefined && value !== false) parameters.set(name, String(value));
  }
  return { link: `<${PREFIX}${path}?${parameters}>; rel="next"` };
}
