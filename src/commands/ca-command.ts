import { Command } from 'commander';
import { type Certificate, readCertificate } from '../platform/certificates/certificate.ts';
import { readConfig } from '../platform/config/config.ts';
import {
  authorityCertificate,
  listAuthorities,
  trustedAuthorities,
} from '../registry/certificates/authorities.ts';
import { caKeys } from '../registry/certificates/ca-keys.ts';
import { createOwnAuthority } from '../registry/certificates/create-own-authority.ts';
import { retireAuthority } from '../registry/certificates/retire-authority.ts';
import { signRevocationList } from '../registry/certificates/sign-revocation-list.ts';
import { trustAuthority } from '../registry/certificates/trust-authority.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { readInput } from './terminal/files.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

type NewAuthority = Operating & { readonly name: string; readonly replace?: boolean };

export function caCommand(): Command {
  const command = new Command('ca').description(
    'authorities whose certificates open the door, our own among them',
  );

  changing(operating(command.command('init'), createOwnAuthority))
    .description('make an authority of our own, with whose key the certificates of registrars are signed')
    .option('--name <name>', 'the CN of its certificate', 'Cadastre registrar access')
    .option('--replace', 'one signs already: the new one signs from now on, the old one stays trusted')
    .action(async (options: NewAuthority) => {
      const { name, replace: replaces = false } = options;
      const created = await ourKeys().keepDuring((keys) =>
        operate(createOwnAuthority, { name, replaces, keys }, options),
      );
      const { id, until, keyFile } = created;
      const sentence = `Authority ${id} signs certificates until ${until.toISOString()}.`;
      const secret = {
        said: ` Its key: ${keyFile}. Keep a copy of it in a safe place.`,
        shown: { keyFile },
      };
      printResult(options, sentence, { id, name, until }, secret);
    });

  withJson(command.command('list'))
    .description('all authorities, and until when their revocation lists hold')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listAuthorities(db), json)),
    );

  withJson(command.command('certificate <id>'))
    .description('the certificate of an authority, in PEM')
    .action((id: string, options: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const certificate = await authorityCertificate(db, numberOf(id));
        if (certificate === undefined) throw new CommandError(`There is no authority ${id}.`);
        printResult(options, certificate.trimEnd(), { id: numberOf(id), certificate });
      }),
    );

  changing(operating(command.command('trust <file>'), trustAuthority))
    .description(
      "let certificates of another's authority be put on record; the file is its certificate in PEM",
    )
    .action(async (file: string, options: Operating) => {
      const trusted = await operate(trustAuthority, { certificate: await certificateIn(file) }, options);
      const { id, name } = trusted;
      const sentence = `Authority ${id} is trusted: ${name}. Put its certificates on record with cadastre cert add.`;
      printResult(options, sentence, { id, name });
    });

  irreversible(operating(command.command('retire <id>'), retireAuthority))
    .description('trust an authority no longer: none of its certificates opens the door from now on')
    .action(async (text: string, options: Operating) => {
      const id = numberOf(text);
      await requireConfirmation(
        options,
        `None of the certificates of authority ${id} opens the door any more.`,
      );
      await operate(retireAuthority, { id }, options);
      printResult(options, `Authority ${id} is retired.`, { id, status: 'retired' });
    });

  changing(operating(command.command('crl'), signRevocationList))
    .description('sign the revocation lists of our own authorities now')
    .action((options: Operating) =>
      withOperator(options, async ({ database, run }) => {
        const own = (await trustedAuthorities(database.reads)).filter((authority) => authority.own);
        if (own.length === 0)
          throw new CommandError('There is no authority of our own; see cadastre ca init.');
        const signed: string[] = [];
        for (const { id } of own) {
          const { until } = await run(signRevocationList, { authority: id, keys: ourKeys() });
          signed.push(`The list of authority ${id} holds until ${until.toISOString()}.`);
        }
        printResult(options, signed.join('\n'), { signed });
      }),
    );
  return command;
}

const ourKeys = () => caKeys(readConfig('production'));

/** A certificate in PEM, in a file or at standard input. */
export async function certificateIn(file: string): Promise<Certificate> {
  const certificate = readCertificate(await readInput(file));
  if (!certificate) throw new CommandError(`${file} holds no certificate in PEM.`);
  return certificate;
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new CommandError('An authority is named by its number; see cadastre ca list.');
  return Number(text);
}
