import { Command } from 'commander';
import type { OperatorOperation } from '../operations/operator-operation.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows, type Row } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

type OutboxCommand = {
  readonly name: string;
  readonly description: string;
  /** What an item is called. */
  readonly noun: string;
  /** What an item is that was not sent. */
  readonly unsentNoun: string;
  readonly idForm: RegExp;
  readonly exampleIds: string;
  readonly list: (db: Sql, limit: number) => Promise<readonly Row[]>;
  readonly retry: OperatorOperation<
    { readonly ids: readonly string[] },
    { readonly due: readonly string[]; readonly missing: readonly string[] }
  >;
};

/** The command of an outbox: lists what was not sent, and makes it due again. */
export function outboxCommand(outbox: OutboxCommand): Command {
  const { name, description, noun, unsentNoun, idForm, exampleIds, list, retry } = outbox;
  const command = new Command(name).description(description);
  withJson(command.command('list'))
    .description(
      `${noun}s that wait for their next attempt or were given up, the oldest first, at most ${MAX_LISTED}`,
    )
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await list(db, MAX_LISTED), json)),
    );
  changing(operating(command.command('retry <id...>'), retry))
    .description(`try ${noun}s again at once, and for three days more; also those that were given up`)
    .addHelpText('after', `\nExample: cadastre ${name} retry ${exampleIds}`)
    .action(async (ids: string[], options: Operating) => {
      const wrong = ids.find((id) => !idForm.test(id));
      if (wrong !== undefined) throw new CommandError(`${wrong} is no id of a ${noun}.`);
      const { due, missing } = await operate(retry, { ids }, options);
      const title = noun.charAt(0).toUpperCase() + noun.slice(1);
      printResult(options, due.map((id) => `${title} ${id} is due.`).join('\n'), { due });
      if (missing.length > 0)
        throw new CommandError(`There is no ${unsentNoun} with the id ${missing.join(', ')}.`);
    });
  return command;
}
