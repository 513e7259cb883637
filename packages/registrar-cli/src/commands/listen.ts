import type { WebhookEvent } from 'cadastre-sdk';
import { type Command, type Context, UsageError } from '../command.ts';
import { EventReceiver } from '../event-receiver.ts';
import { ACCEPTED, type Forwarded, forward } from '../forward.ts';
import { listenSecret, signedAnew } from '../listen-secret.ts';
import { printable } from '../output.ts';
import { TemporaryEndpoint } from '../temporary-endpoint.ts';
import { TYPES_OPTION, typesIn } from './webhooks.ts';

export const listenCommand: Command = {
  name: 'webhooks listen',
  summary: 'Shows events as they happen, and forwards them to an address of this machine',
  options: {
    'forward-to': {
      value: 'URL',
      description: 'where events are posted, such as http://localhost:3000/hook',
    },
    types: TYPES_OPTION,
    port: { value: 'PORT', description: 'where to listen on 127.0.0.1; any free port' },
    'public-url': {
      value: 'URL',
      description: 'https address that leads to that port, for a registry on another machine',
    },
  },
  async run(context) {
    const { signal } = context.environment;
    const target = addressIn(context, 'forward-to');
    const publicUrl = addressIn(context, 'public-url');
    const types = typesIn(context);
    const port = portIn(context, publicUrl !== undefined);
    const registry = await context.registry();
    const secret = await listenSecret(context.environment);
    let hasArrived = false;
    const receiver = new EventReceiver(
      async (event, request) => {
        if (event.type === 'webhook.test' && !hasArrived) {
          hasArrived = true;
          return ACCEPTED;
        }
        const forwarded = target ? await forward(target, signedAnew(request, secret)) : ACCEPTED;
        show(context, event, target ? forwarded : undefined);
        return forwarded;
      },
      (reason) => say(context, `refused a request: ${reason}`),
    );
    await receiver.listen(port);
    try {
      const url = publicUrl ? `${publicUrl.href.replace(/\/$/, '')}/${receiver.token}` : receiver.url;
      const endpoint = new TemporaryEndpoint(registry, {
        url,
        localUrl: receiver.url,
        signal,
        say: (text) => say(context, text),
      });
      await endpoint.deleteLeftOvers();
      receiver.secret = await endpoint.create(types);
      try {
        await endpoint.requireArrival(() => hasArrived);
        announce(context, { id: endpoint.id, url, secret }, target);
        await endpoint.watch();
      } finally {
        await endpoint.delete();
      }
    } finally {
      await receiver.close();
    }
  },
};

const say = ({ environment }: Context, text: string): void =>
  void environment.stderr.write(`${printable(text)}\n`);

type Announced = { readonly id: string; readonly url: string; readonly secret: string };

function announce(context: Context, webhook: Announced, target: URL | undefined): void {
  const { id, secret } = webhook;
  if (context.printer.isJson) context.printer.item({ webhook });
  else
    say(context, `${id} listens${target ? `, and forwards to ${target.href}, signed with ${secret}` : ''}`);
}

function show(context: Context, event: WebhookEvent, forwarded: Forwarded | undefined): void {
  const { id, type, timestamp, data } = event;
  const name = 'name' in data ? data.name : '';
  const answer = forwarded && { status: forwarded.status, outcome: forwarded.outcome };
  context.printer.row(
    { id, type, timestamp, data, ...(answer && { forwarded: answer }) },
    { At: timestamp, Type: type, Object: name, ...(forwarded && { Answer: forwarded.outcome }) },
  );
  context.printer.flush();
}

function addressIn(context: Context, name: string): URL | undefined {
  const text = context.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--${name} takes an address such as http://localhost:3000/hook`);
  return url;
}

const MAX_PORT = 65_535;

function portIn(context: Context, isNeeded: boolean): number {
  const text = isNeeded ? context.requireText('port') : (context.text('port') ?? '0');
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) throw new UsageError('--port takes a port');
  return port;
}
