import { readPosition } from '../../../platform/paging/position.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { MessageQuery } from '../../../registry/poll/find-messages.ts';
import { type MessageType, messageTypes } from '../../../registry/poll/send-messages.ts';
import { filterDay } from '../filter-text.ts';

export const messageFilters = ['show', 'type', 'from', 'to'] as const;
export type MessageFilterName = (typeof messageFilters)[number];
export type AskedMessages = Readonly<Record<MessageFilterName, string>>;

export type ReadMessageQuery = {
  readonly asked: AskedMessages;
  /** Filters whose text says nothing. */
  readonly wrong: readonly MessageFilterName[];
  /** Undefined if any is wrong. */
  readonly query: MessageQuery | undefined;
};

/** By the parameters of an address, or the fields of a form. */
export function readMessageQuery(text: (name: string) => string, { timeZone }: Policy): ReadMessageQuery {
  const asked: AskedMessages = {
    show: text('show') === 'all' ? 'all' : '',
    type: text('type'),
    from: text('from'),
    to: text('to'),
  };
  const type = typeOf(asked.type);
  const [from, before] = [filterDay(asked.from, timeZone), filterDay(asked.to, timeZone, 1)];
  if (type === null || from === null || before === null) {
    const found = { show: '', type, from, to: before };
    return { asked, wrong: messageFilters.filter((name) => found[name] === null), query: undefined };
  }
  const filter = { isUnread: asked.show !== 'all', type, from, before };
  return { asked, wrong: [], query: { filter, after: readPosition(text('after'), 'time') } };
}

const typeOf = (text: string): MessageType | undefined | null =>
  text === '' ? undefined : (messageTypes.find((known) => known === text) ?? null);

/** The parameters that lead to the same list again. */
export const messageParameters = (asked: AskedMessages): Record<string, string> =>
  Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ''));
