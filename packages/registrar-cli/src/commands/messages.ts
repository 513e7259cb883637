import { setTimeout as sleep } from 'node:timers/promises';
import { argument, type Command, type Context, UsageError } from '../command.ts';

const INTERVAL_SECONDS = 30;

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
    async run(context) {
      const registry = await context.registry();
      for (const id of context.args) {
        const { data } = await registry.messages.acknowledge(id);
        context.printer.item(data, data.notification_id, 'read');
      }
    },
  },
];

/** Oldest first, as they happened; the API lists the newest first. */
async function showUnread(context: Context, shown: Set<number>): Promise<void> {
  const registry = await context.registry();
  const unread = [];
  for await (const message of registry.messages.list()) unread.push(message);
  for (const message of unread.reverse().filter(({ id }) => !shown.has(id))) {
    context.printer.row(message, {
      Id: message.id,
      At: message.created_at,
      Type: message.type,
      Text: message.text,
    });
    if (context.flag('acknowledge')) await registry.messages.acknowledge(message.id);
    shown.add(message.id);
  }
  context.printer.flush();
}
