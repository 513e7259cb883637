import { EVENT_TYPES, type EventType } from 'cadastre-sdk';
import { argument, type Command, type Context, UsageError } from '../command.ts';
import { reportChange } from './domains.ts';

export const TYPES_OPTION = {
  value: 'TYPE,…',
  description: 'only events of these types, such as domain.renewed,invoice.paid',
} as const;

type Subscribable = Exclude<EventType, 'webhook.test'>;
const SUBSCRIBABLE: readonly string[] = EVENT_TYPES.filter((type) => type !== 'webhook.test');

/** The types that were named; undefined if none were, null for `all`. */
export function typesIn(context: Context): readonly Subscribable[] | null | undefined {
  const text = context.text('types');
  if (text === undefined) return undefined;
  if (text === 'all') return null;
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !SUBSCRIBABLE.includes(type));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is no type of event; docs/integrate/event-types.md lists them`);
  return types as Subscribable[];
}

function enabledIn(context: Context): boolean | undefined {
  const [enable, disable] = [context.flag('enable'), context.flag('disable')];
  if (enable && disable) throw new UsageError('--enable or --disable, not both');
  return enable || disable ? enable : undefined;
}

const endpointOptions = {
  description: { value: 'TEXT', description: 'your own note' },
  types: { ...TYPES_OPTION, description: `${TYPES_OPTION.description}; all` },
} as const;

/** The secret is shown once: it has a line of its own, which a script can read. */
function reportSecret(context: Context, data: object): void {
  const { webhook } = data as { webhook: { id: string; secret: string } };
  if (context.change.dryRun || context.printer.isJson) reportChange(context, data, '');
  else context.printer.item(webhook, webhook.id, webhook.secret);
}

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    summary: 'Your webhook endpoints',
    async run(context) {
      for (const webhook of (await (await context.registry()).webhooks.list()).data.webhooks) {
        const state = webhook.disabled_reason ?? (webhook.failing_since === null ? 'enabled' : 'failing');
        context.printer.row(webhook, {
          Id: webhook.id,
          State: state,
          URL: webhook.url,
          Types: webhook.event_types?.join(',') ?? 'all',
          Description: webhook.description,
        });
      }
    },
  },
  {
    name: 'webhooks show',
    parameters: 'ID',
    summary: 'One endpoint',
    async run(context) {
      context.printer.object(
        (await (await context.registry()).webhooks.read(argument(context))).data.webhook,
      );
    },
  },
  {
    name: 'webhooks create',
    parameters: 'URL',
    summary: 'Creates an endpoint, and shows its id and its secret',
    changes: true,
    options: endpointOptions,
    async run(context) {
      const webhook = {
        url: argument(context),
        description: context.text('description'),
        event_types: typesIn(context),
      };
      reportSecret(context, (await (await context.registry()).webhooks.create(webhook, context.change)).data);
    },
  },
  {
    name: 'webhooks update',
    parameters: 'ID',
    summary: 'Changes, enables or disables an endpoint',
    changes: true,
    options: {
      url: { value: 'URL', description: 'where events are posted' },
      ...endpointOptions,
      enable: { description: 'send events again' },
      disable: { description: 'send nothing' },
    },
    async run(context) {
      const change = {
        url: context.text('url'),
        description: context.text('description'),
        event_types: typesIn(context),
        enabled: enabledIn(context),
      };
      if (Object.values(change).every((value) => value === undefined))
        throw new UsageError('what is to be changed?');
      const registry = await context.registry();
      const { data } = await registry.webhooks.update(argument(context), change, context.change);
      reportChange(context, data, `${argument(context)} is changed`);
    },
  },
  {
    name: 'webhooks delete',
    parameters: 'ID',
    summary: 'Deletes an endpoint with all that waits for it',
    changes: true,
    async run(context) {
      const { data } = await (await context.registry()).webhooks.delete(argument(context), context.change);
      reportChange(context, data, `${argument(context)} is deleted`);
    },
  },
  {
    name: 'webhooks rotate',
    parameters: 'ID',
    summary: 'Makes a new secret and shows it; the old one signs too for 24 hours',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      reportSecret(context, (await registry.webhooks.rotateSecret(argument(context), context.change)).data);
    },
  },
];
