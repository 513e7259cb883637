import { Command } from 'commander';
import { runTransaction } from '../operations/in-transaction.ts';
import { Refused } from '../operations/refusal.ts';
import { caKeys } from '../platform/certificates/ca-keys.ts';
import { BadRequest } from '../platform/certificates/certificate-request.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { escapeInvisible } from '../platform/values/text.ts';
import { policy } from '../policy/installed.ts';
import {
  enterRequestedCertificate,
  findCertificateRequest,
  listCertificateRequests,
  refuseCertificateRequest,
} from '../registry/certificates/certificate-requests.ts';
import {
  certificatePem,
  listCertificates,
  recordCertificate,
  revokeCertificate,
  type Signing,
} from '../registry/certificates/certificates.ts';
import { readInput, signingAuthority } from './ca.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { type CommandContext, withDatabase } from './terminal/with-database.ts';

type Listing = Changing & { readonly user?: string; readonly registrar?: string };

export function certCommand(): Command {
  const command = new Command('cert').description('client certificates of API users: sign, list, revoke');

  changing(withReason(command.command('sign <file>')))
    .description(
      "sign a user's certificate request (PKCS #10 in PEM; - for standard input); prints the certificate",
    )
    .addHelpText(
      'after',
      '\nThe CN of the request must be the username. Example: cadastre cert sign gamma.csr > gamma.crt',
    )
    .action((file: string, options: Changing) =>
      withExplainedErrors((workplace) => sign(workplace, file, options), options),
    );

  withJson(command.command('requests'))
    .description('requests that registrars made in the console and that wait to be signed, the oldest first')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        printRows(await listCertificateRequests(db), json);
      }),
    );

  changing(withReason(command.command('sign-request <id>')))
    .description(
      'sign a request of the queue; the person who made it gets a mail, and downloads the certificate in the console',
    )
    .action((id: string, options: Changing) =>
      withExplainedErrors((workplace) => signWaiting(workplace, numberOf(id), options), options),
    );

  irreversible(command.command('refuse-request <id>'))
    .description('refuse a request of the queue; the person who made it gets the reason by mail')
    .requiredOption('--reason <text>', 'kept in history')
    .action(async (text: string, options: Changing & { reason: string }) => {
      const id = numberOf(text);
      await requireConfirmation(options, `Request ${id} is refused, and the registrar has to make another.`);
      await withDatabase(async ({ sql: db, now, change }) => {
        const { reason } = options;
        const decision = { ...change(reason), reason, publicUrl: publicUrl() };
        if (!(await runTransaction(db, now, (tx) => refuseCertificateRequest(tx, id, decision))))
          throw new CommandError(`No request ${id} waits; see cadastre cert requests.`);
        printResult(options, `Request ${id} is refused.`, { id, status: 'refused' });
      }, options);
    });

  changing(withReason(command.command('add <file>')))
    .description('put a certificate on record that a trusted authority signed elsewhere, such as one for EPP')
    .action((file: string, options: Changing) =>
      withExplainedErrors(async ({ sql: db, now, change }) => {
        const text = await readInput(file);
        const { commonName, validUntil } = await runTransaction(db, now, (tx) =>
          recordCertificate(tx, text, change(options.reason)),
        );
        printResult(options, `User ${commonName} may come in with it until ${validUntil.toISOString()}.`, {
          ...{ username: commonName, validUntil },
        });
      }, options),
    );

  withJson(command.command('list'))
    .description('certificates of all users, or of some; those that end first stand first')
    .option('--user <username>', 'only those of this user')
    .option('--registrar <code>', 'only those of its users')
    .action(({ json, ...wanted }: Listing) =>
      withDatabase(async ({ sql: db, now }) => {
        const rows = await listCertificates(db, now, wanted);
        printRows(json ? rows : rows.map(({ fingerprint: _, validFrom: __, ...shown }) => shown), json);
      }),
    );

  withJson(command.command('show <serial>'))
    .description('a certificate, in PEM')
    .action((serial: string, options: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const pem = await certificatePem(db, serial);
        if (pem === undefined) throw new CommandError(`There is no certificate ${serial}.`);
        printResult(options, pem.trimEnd(), { serial, certificate: pem });
      }),
    );

  irreversible(command.command('revoke <serial>'))
    .description('revoke a certificate, within seconds on every server; it cannot be undone')
    .requiredOption('--reason <text>', 'kept in history')
    .action(async (serial: string, options: Changing & { reason: string }) => {
      await requireConfirmation(options, `Certificate ${serial} opens the door to nobody any more.`);
      await withDatabase(async ({ sql: db, change }) => {
        const username = await revokeCertificate(db, serial, change(options.reason));
        if (username === undefined)
          throw new CommandError(`There is no certificate ${serial} that is still good.`);
        printResult(
          options,
          `Certificate ${serial} of user ${username} is revoked. The revocation list follows within the hour, or at once with cadastre ca crl.`,
          { serial, username, status: 'revoked' },
        );
      }, options);
    });
  return command;
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new CommandError('A request is named by its number; see cadastre cert requests.');
  return Number(text);
}

async function signWaiting(
  { sql: db, now, change }: CommandContext,
  id: number,
  options: Changing,
): Promise<void> {
  const waiting = await findCertificateRequest(db, id);
  const { signCertificate } = await import('../registry/certificates/certificates.ts');
  const signed =
    waiting && (await signCertificate(db, { ...waiting, ...(await authorityWithKey(db)) }, policy, now));
  const certificate =
    signed &&
    (await runTransaction(db, now, (tx) =>
      enterRequestedCertificate(tx, id, signed, { ...change(options.reason), publicUrl: publicUrl() }),
    ));
  if (!certificate) throw new CommandError(`No request ${id} waits; see cadastre cert requests.`);
  const { serial, commonName, validUntil } = certificate;
  printResult(
    options,
    `Request ${id} is signed: user ${commonName} may come in with it until ${validUntil.toISOString()}.`,
    { id, ...(!options.dryRun && { serial }), username: commonName, validUntil },
  );
}

async function sign(
  { sql: db, now, change }: CommandContext,
  file: string,
  options: Changing,
): Promise<void> {
  const request = await readInput(file);
  const { signCertificate, enterSignedCertificate } = await import(
    '../registry/certificates/certificates.ts'
  );
  const signing = { request, ...(await authorityWithKey(db)) };
  const signed = await signCertificate(db, signing, policy, now);
  const { pem } = await runTransaction(db, now, (tx) =>
    enterSignedCertificate(tx, signed, change(options.reason)),
  );
  // A certificate signed in a dry run is not recorded and would not authenticate, so it is not printed.
  const { id } = signing.authority;
  if (options.dryRun) printResult(options, 'The request is signed.', { authority: id });
  else printResult(options, pem.trimEnd(), { authority: id, certificate: pem });
}

/** Our own authority, whose key must lie here. */
async function authorityWithKey(db: Sql): Promise<Omit<Signing, 'request'>> {
  const config = readConfig('production');
  const authority = await signingAuthority(db);
  if (!authority)
    throw new CommandError('There is no authority of our own yet; make one with cadastre ca init.');
  const keys = caKeys(config);
  const key = await keys.find(authority);
  if (!key)
    throw new CommandError(`The key of authority ${authority.id} is not here: ${keys.fileOf(authority)}.`);
  return { authority: { ...authority, key }, listUrl: listUrl(config, authority.id) };
}

const listUrl = (config: Config, id: number): string => `${new Origin(config).url}/ca/${id}.crl`;

/** What links in mails begin with. */
const publicUrl = (): string => new Origin(readConfig('production')).urlForPeople;

/** Errors of a request or a certificate are printed as one sentence. */
const withExplainedErrors = (
  work: (workplace: CommandContext) => Promise<void>,
  options: Changing,
): Promise<void> =>
  withDatabase(work, options).catch((error: unknown) => {
    const isPlain = error instanceof Refused || error instanceof BadRequest;
    throw isPlain ? new CommandError(escapeInvisible(error.message)) : error;
  });
