import { Command } from 'commander';
import { readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { caKeys } from '../registry/certificates/ca-keys.ts';
import { listCertificateRequests } from '../registry/certificates/certificate-requests.ts';
import { certificatePem, listCertificates } from '../registry/certificates/certificates.ts';
import { recordCertificate } from '../registry/certificates/record-certificate.ts';
import { refuseCertificateRequest } from '../registry/certificates/refuse-certificate-request.ts';
import { revokeCertificate } from '../registry/certificates/revoke-certificate.ts';
import { signCertificate } from '../registry/certificates/sign-certificate.ts';
import { signCertificateRequest } from '../registry/certificates/sign-certificate-request.ts';
import type { Signer } from '../registry/certificates/sign-with-authority.ts';
import { certificateIn } from './ca-command.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { readInput } from './terminal/files.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

type Listing = Changing & { readonly user?: string; readonly registrar?: string };

export function certCommand(): Command {
  const command = new Command('cert').description('client certificates of API users: sign, list, revoke');

  changing(operating(command.command('sign <file>'), signCertificate))
    .description(
      "sign a user's certificate request (PKCS #10 in PEM; - for standard input); prints the certificate",
    )
    .addHelpText(
      'after',
      '\nThe CN of the request must be the username. Example: cadastre cert sign gamma.csr > gamma.crt',
    )
    .action(async (file: string, options: Operating) => {
      const signing = { request: await readInput(file), ...signer() };
      const { certificate, authorityId: authority } = await operate(signCertificate, signing, options);
      // A certificate signed in a dry run is not recorded and would not authenticate, so it is not printed.
      if (options.dryRun) printResult(options, 'The request is signed.', { authority });
      else printResult(options, certificate.pem.trimEnd(), { authority, certificate: certificate.pem });
    });

  addRequests(command);

  changing(operating(command.command('add <file>'), recordCertificate))
    .description('put a certificate on record that a trusted authority signed elsewhere, such as one for EPP')
    .action(async (file: string, options: Operating) => {
      const recorded = await operate(recordCertificate, { certificate: await certificateIn(file) }, options);
      const { commonName: username, validUntil } = recorded.certificate;
      const sentence = `User ${username} may come in with it until ${validUntil.toISOString()}.`;
      printResult(options, sentence, { username, validUntil });
    });

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

  irreversible(operating(command.command('revoke <serial>'), revokeCertificate, { isRequired: true }))
    .description('revoke a certificate, within seconds on every server; it cannot be undone')
    .action(async (serial: string, options: Operating) => {
      await requireConfirmation(options, `Certificate ${serial} opens the door to nobody any more.`);
      const { username } = await operate(revokeCertificate, { serial }, options);
      printResult(
        options,
        `Certificate ${serial} of user ${username} is revoked. The revocation list follows within the hour, or at once with cadastre ca crl.`,
        { serial, username, status: 'revoked' },
      );
    });
  return command;
}

/** The queue of requests that registrars make in the console. */
function addRequests(command: Command): void {
  withJson(command.command('requests'))
    .description('requests that registrars made in the console and that wait to be signed, the oldest first')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        printRows(await listCertificateRequests(db), json);
      }),
    );

  changing(operating(command.command('sign-request <id>'), signCertificateRequest))
    .description(
      'sign a request of the queue; the person who made it gets a mail, and downloads the certificate in the console',
    )
    .action(async (text: string, options: Operating) => {
      const id = numberOf(text);
      const signing = { id, publicUrl: publicUrl(), ...signer() };
      const signed = await operate(signCertificateRequest, signing, options);
      const { serial, commonName: username, validUntil } = signed.certificate;
      printResult(
        options,
        `Request ${id} is signed: user ${username} may come in with it until ${validUntil.toISOString()}.`,
        { id, ...(!options.dryRun && { serial }), username, validUntil },
      );
    });

  irreversible(
    operating(command.command('refuse-request <id>'), refuseCertificateRequest, {
      about: 'kept in history, and told to the registrar unless --for-registrar is',
      isRequired: true,
    }),
  )
    .description('refuse a request of the queue; the person who made it gets the reason by mail')
    .action(async (text: string, options: Operating & { readonly reason: string }) => {
      const id = numberOf(text);
      const { reason, forRegistrar = reason } = options;
      await requireConfirmation(options, `Request ${id} is refused, and the registrar has to make another.`);
      const refusing = { id, reason: forRegistrar, publicUrl: publicUrl() };
      await operate(refuseCertificateRequest, refusing, options);
      printResult(options, `Request ${id} is refused.`, { id, status: 'refused' });
    });
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new CommandError('A request is named by its number; see cadastre cert requests.');
  return Number(text);
}

function signer(): Signer {
  const config = readConfig('production');
  return { keys: caKeys(config), listUrl: (id) => `${new Origin(config).url}/ca/${id}.crl` };
}

/** What links in mails begin with. */
const publicUrl = (): string => new Origin(readConfig('production')).urlForPeople;
