import { setTimeout as sleep } from 'node:timers/promises';
import { argument, type Command, type Context, Failed, UsageError } from '../command.ts';

const INTERVAL_SECONDS = 30;
/** What one call takes. */
const MAX_ACKNOWLEDGED = 1_000;

export const messageCommands: readonly Command[] = [
  {
    name: 'messages',
    summary: 'Unread messages of the registry',
    options: {
      follow: { description: 'stay, and show new ones as they come' },
      interval: { value: 'SECONDS', description: `how often to look with --follow; ${INTERVAL_SECONDS}` },
      acknowledge: { description: 'mark what was shown as read' },
    },
    async run(context) {
      const interval = Number(context.text('interval') ?? INTERVAL_SECONDS);
      if (!(interval > 0)) throw new UsageError('--interval takes a number of seconds');
      const shown = new Set<number>();
      for (;;) {
        await showUnread(context, shown);
        if (!context.flag('follow')) return;
        const { signal } = context.environment;
        await sleep(interval * 1_000, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    },
  },
  {
    name: 'message show',
    parameters: 'ID',
    summary: 'One message, read or not',
    async run(context) {
      context.printer.object((await (await context.registry()).messages.read(argument(context))).data);
    },
  },
  {
    name: 'message acknowledge',
    parameters: 'ID…',
    summary: 'Marks messages as read',
    changes: true,
    async run(context) {
      const ids = context.args.map(Number);
      const wrong = context.args[ids.findIndex((id) => !Number.isInteger(id))];
      if (wrong !== undefined) throw new UsageError(`${wrong} is no id of a message`);
      const unknown = await acknowledge(context, ids);
      for (const id of ids.filter((each) => !unknown.includes(each)))
        context.printer.item(
          { notification_id: id, read: true },
          id,
          context.change.dryRun ? 'possible' : 'read',
        );
      if (unknown.length > 0) throw new Failed(`no messages of yours: ${unknown.join(', ')}`);
    },
  },
];

/** Oldest first, as they happened. */
async function showUnread(context: Context, shown: Set<number>): Promise<void> {
  const registry = await context.registry();
  const found: number[] = [];
  for await (const message of registry.messages.list({ sort: 'created_at' })) {
    if (shown.has(message.id)) continue;
    found.push(message.id);
    context.printer.row(message, {
      Id: message.id,
      At: message.created_at,
      Type: message.type,
      Text: message.text,
    });
  }
  context.printer.flush();
  if (context.flag('acknowledge')) await acknowledge(context, found);
  for (const id of found) shown.add(id);
}

/** Marks messages as read, and returns those that are none. */
async function acknowledge(context: Context, ids: readonly number[]): Promise<number[]> {
  const registry = await context.registry();
  const unknown: number[] = [];
  for (let first = 0; first < ids.length; first += MAX_ACKNOWLEDGED) {
    const some = { ids: ids.slice(first, first + MAX_ACKNOWLEDGED), read: true };
    const { key, ...change } = context.change;
    const own = key === undefined ? {} : { key: first === 0 ? key : `${key}-${first}` };
    const { data } = await registry.messages.acknowledgeMany(some, { ...change, ...own });
    unknown.push(...data.unknown_ids);
  }
  return unknown;
}
