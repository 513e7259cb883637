import { Argument, Command } from 'commander';
import type { Domain } from '../registry/domains/domain.ts';
import { restoreDomain } from '../registry/domains/restore.ts';
import {
  cancelServerStatus,
  type ServerStatus,
  serverStatuses,
  setServerStatus,
} from '../registry/domains/server-status.ts';
import { changeDomain } from './change-domain.ts';
import { print } from './output.ts';

type Reason = { readonly reason?: string };

export function domainCommand(): Command {
  const command = new Command('domain').description("the operator's hand on one domain");
  command
    .command('restore <domain>')
    .description('keep a domain that was deleted or is about to go')
    .option('--reason <text>', 'kept in history')
    .action(async (text: string, { reason }: Reason) => {
      const refused = ({ name: asked }: Domain) => `${asked} is not on its way out.`;
      const { name } = await changeDomain(text, restoreDomain, { reason, refused });
      print(`${name} is restored.`);
    });
  const status = () => new Argument('<status>', 'a status of the registry').choices(serverStatuses);
  command
    .command('set-status <domain>')
    .description('set a status of the registry; its sponsor is told')
    .addArgument(status())
    .option('--note <text>', 'shown with the status', '')
    .option('--reason <text>', 'kept in history')
    .action(async (text: string, wanted: ServerStatus, { note, reason }: Reason & { note: string }) => {
      const refused = ({ name: asked }: Domain) => `${asked} has a status that contradicts ${wanted}.`;
      const { name } = await changeDomain(text, (domain) => setServerStatus(domain, wanted, note), {
        reason,
        refused,
      });
      print(`${name} has ${wanted}.`);
    });
  command
    .command('cancel-status <domain>')
    .description('take a status of the registry away; its sponsor is told')
    .addArgument(status())
    .option('--reason <text>', 'kept in history')
    .action(async (text: string, wanted: ServerStatus, { reason }: Reason) => {
      const refused = ({ name: asked }: Domain) => `${asked} does not have ${wanted}.`;
      const { name } = await changeDomain(text, (domain) => cancelServerStatus(domain, wanted), {
        reason,
        refused,
      });
      print(`${name} does not have ${wanted} any more.`);
    });
  return command;
}
