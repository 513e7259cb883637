import { followEvents } from 'cadastre-sdk';
import { type Command, UsageError } from '../command.ts';

const INTERVAL_SECONDS = 5;

export const eventsCommand: Command = {
  name: 'events',
  summary: 'What happened, oldest first: of the last 30 days, or after a position',
  options: {
    after: { value: 'POSITION', description: 'only what came after it; each event has its own' },
    follow: { description: 'stay, and show new ones as they happen' },
    interval: { value: 'SECONDS', description: `how often to look with --follow; ${INTERVAL_SECONDS}` },
  },
  async run(context) {
    const { environment, printer } = context;
    const interval = Number(context.text('interval') ?? INTERVAL_SECONDS);
    if (!(interval > 0)) throw new UsageError('--interval takes a number of seconds');
    const events = followEvents(await context.registry(), {
      after: context.text('after'),
      intervalMs: interval * 1_000,
      onlyPresent: !context.flag('follow'),
      signal: environment.signal,
      onPosition: () => printer.flush(),
    });
    for await (const event of events) {
      const { timestamp, type, data, position } = event;
      const name = 'name' in data ? data.name : '';
      printer.row(event, { At: timestamp, Type: type, Object: name, Position: position });
    }
  },
};
