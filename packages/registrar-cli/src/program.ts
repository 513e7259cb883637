import { parseArgs } from 'node:util';
import { Refusal, RegistryError } from 'cadastre-sdk';
import {
  type Command,
  type Context,
  type Environment,
  Failed,
  type Given,
  type Options,
  UsageError,
} from './command.ts';
import { billingCommands } from './commands/billing.ts';
import { bulkCommands } from './commands/bulk.ts';
import { contactCommands } from './commands/contacts.ts';
import { delegationCommands } from './commands/delegation.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { domainCommands } from './commands/domains.ts';
import { eventsCommand } from './commands/events.ts';
import { holderCommands } from './commands/holders.ts';
import { listenCommand } from './commands/listen.ts';
import { messageCommands } from './commands/messages.ts';
import { profileCommands } from './commands/profiles.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { candidates, scripts } from './completion.ts';
import { connect } from './connect.ts';
import { findCommand, unknownCommand } from './find-command.ts';
import { helpOf, overview } from './help.ts';
import { Printer, printable } from './output.ts';
import { VERSION } from './version.ts';

const GLOBALS: Options = {
  profile: { value: 'NAME', description: 'which profile; else CADASTRE_PROFILE or the default' },
  'no-profile': {
    description: 'the registry of CADASTRE_URL and CADASTRE_USERNAME, whatever is the default',
  },
  json: { description: 'one JSON value per line' },
  retries: { value: 'NUMBER', description: 'how often to repeat where no answer came; 4' },
  help: { description: 'this text' },
};
const CHANGE_OPTIONS: Options = {
  'dry-run': { description: 'check and tell the price, change nothing' },
  key: { value: 'KEY', description: 'idempotency key: the same order with the same key is carried out once' },
};

const completion: Command = {
  name: 'completion',
  parameters: 'SHELL',
  summary: 'Prints the completion for bash, zsh or fish',
  async run({ args: [shell = ''], environment }) {
    const script = scripts[shell];
    if (script === undefined) throw new UsageError('completion for bash, zsh or fish');
    environment.stdout.write(script);
  },
};

export const COMMANDS: readonly Command[] = [
  ...domainCommands,
  ...holderCommands,
  ...delegationCommands,
  ...contactCommands,
  ...bulkCommands,
  ...messageCommands,
  eventsCommand,
  ...billingCommands,
  ...webhookCommands,
  ...deliveryCommands,
  listenCommand,
  ...profileCommands,
  completion,
];

const optionsOf = (command: Command): Options => ({
  ...command.options,
  ...(command.changes && CHANGE_OPTIONS),
  ...GLOBALS,
});

/** Runs a command line and returns the exit code: 0, 1 refused, 2 wrong use, 3 the outcome is unknown. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  // What a shell asks is answered without a word about mistakes.
  if (words[0] === 'complete') {
    const found = candidates(COMMANDS, optionsOf, words.slice(2));
    environment.stdout.write(found.map((word) => `${word}\n`).join(''));
    return 0;
  }
  if (words[0] === '--version') {
    environment.stdout.write(`cadastre-registrar ${VERSION}\n`);
    return 0;
  }
  const command = findCommand(COMMANDS, words);
  if (!command) {
    const isAsked = words.length === 0 || words.includes('--help') || words[0] === 'help';
    if (isAsked) environment.stdout.write(overview(COMMANDS));
    else
      environment.stderr.write(
        `${printable(unknownCommand(COMMANDS, words))}\ncadastre-registrar --help lists all commands\n`,
      );
    return isAsked ? 0 : 2;
  }
  try {
    await run(command, words.slice(command.name.split(' ').length), environment);
    return 0;
  } catch (error) {
    return report(error, command, environment, words.includes('--json'));
  }
}

async function run(command: Command, words: readonly string[], environment: Environment): Promise<void> {
  const options = optionsOf(command);
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, multiple }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', multiple: multiple === true } as const,
      ]),
    ),
  });
  if (values.help === true) return void environment.stdout.write(helpOf(command, options));
  requireCount(command, positionals);
  const given = givenIn(values);
  const key = given.text('key');
  const printer = new Printer(environment, given.flag('json'));
  const chosen = { name: given.text('profile'), isNone: given.flag('no-profile') };
  const context: Context = {
    ...given,
    args: positionals,
    environment,
    printer,
    registry: once(() => connect(environment, chosen, retriesIn(given))),
    change: { ...(key !== undefined && { key }), ...(given.flag('dry-run') && { dryRun: true }) },
  };
  try {
    await command.run(context);
  } finally {
    printer.flush();
  }
}

function retriesIn(given: Given): number | undefined {
  const text = given.text('retries');
  if (text !== undefined && !/^\d{1,3}$/.test(text)) throw new UsageError('--retries takes a number');
  return text === undefined ? undefined : Number(text);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function givenIn(values: Readonly<Record<string, unknown>>): Given {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    flag: (name) => values[name] === true,
    text,
    texts: (name) => (Array.isArray(values[name]) ? values[name].map(String) : []),
    requireText: (name) => {
      const found = text(name);
      if (found === undefined || found === '') throw new UsageError(`--${name} is missing`);
      return found;
    },
  };
}

function requireCount({ parameters = '' }: Command, given: readonly string[]): void {
  const wanted = parameters.split(' ').filter(Boolean);
  const least = wanted.filter((name) => !name.startsWith('[')).length;
  const most = parameters.endsWith('…') ? Number.POSITIVE_INFINITY : wanted.length;
  if (given.length < least) throw new UsageError(`${wanted[given.length]} is missing`);
  if (given.length > most) throw new UsageError(`what is ${printable(given[most])}?`);
}

function report(error: unknown, command: Command, { stderr, signal }: Environment, isJson: boolean): number {
  const say = (text: string) => stderr.write(`${text}\n`);
  if (error instanceof RegistryError) {
    const { message, requestId, key, status } = error;
    const isUnknown = !(error instanceof Refusal) && status !== 401;
    const errors = error instanceof Refusal ? error.errors : [];
    if (isJson) say(JSON.stringify({ message, status, requestId, key, errors }));
    else {
      for (const { field, message: text, reason, price, missing } of errors) {
        const cost =
          price === undefined ? '' : `; it costs ${price}${missing ? `, missing are ${missing}` : ''}`;
        say(printable(`${field === null ? '' : `${field}: `}${text} (${reason})${cost}`));
      }
      if (errors.length === 0) say(printable(message));
      say(printable(`request ${requestId}`));
      if (isUnknown && key !== undefined)
        say(printable(`The outcome is unknown. Repeat it with --key ${key}`));
    }
    return isUnknown ? 3 : 1;
  }
  if (signal.aborted) return 130;
  const text = error instanceof Error ? error.message : String(error);
  say(printable(text));
  if (error instanceof Failed) return 1;
  say(`cadastre-registrar ${command.name} --help`);
  return 2;
}
