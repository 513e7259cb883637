import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { caKeys } from '../platform/certificates/ca-keys.ts';
import { readCertificate } from '../platform/certificates/certificate.ts';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { policy } from '../policy/installed.ts';
import {
  authorityCertificate,
  createOwnAuthority,
  listAuthorities,
  retireAuthority,
  type TrustedAuthority,
  trustAuthority,
  trustedAuthorities,
} from '../registry/certificates/authorities.ts';
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
import { withDatabase } from './terminal/with-database.ts';

// The signing library is imported lazily, which keeps the other commands fast.

export function caCommand(): Command {
  const command = new Command('ca').description(
    'authorities whose certificates open the door, our own among them',
  );

  changing(withReason(command.command('init')))
    .description('make an authority of our own, with whose key the certificates of registrars are signed')
    .option('--name <name>', 'the CN of its certificate', 'Cadastre registrar access')
    .option('--replace', 'one signs already: the new one signs from now on, the old one stays trusted')
    .action((options: Changing & { name: string; replace?: boolean }) =>
      withDatabase(async ({ sql: db, now, change }) => {
        const { name, replace, reason, dryRun } = options;
        const signing = await signingAuthority(db);
        if (signing && !replace)
          throw new CommandError(`Authority ${signing.id} signs already; --replace makes another.`);
        const { createAuthority } = await import('../platform/certificates/authority.ts');
        const until = new Date(now);
        until.setUTCFullYear(until.getUTCFullYear() + policy.certificates.authorityYears);
        const { certificate: pem, key } = await createAuthority(name, { from: now, until });
        const certificate = readCertificate(pem);
        if (!certificate) throw new CommandError(`"${name}" cannot be the name of an authority.`);
        const keys = caKeys(readConfig('production'));
        if (!dryRun) await keys.keep(certificate, key);
        try {
          const id = await db.begin((tx) => createOwnAuthority(tx, { name, certificate }, change(reason)));
          printResult(
            options,
            `Authority ${id} signs certificates until ${until.toISOString()}.`,
            { id, name, until },
            {
              said: ` Its key: ${keys.fileOf(certificate)}. Keep a copy of it in a safe place.`,
              shown: { keyFile: keys.fileOf(certificate) },
            },
          );
        } catch (error) {
          await keys.forget(certificate);
          throw error;
        }
      }, options),
    );

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

  changing(withReason(command.command('trust <file>')))
    .description(
      "let certificates of another's authority be put on record; the file is its certificate in PEM",
    )
    .action((file: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const certificate = readCertificate(await readInput(file));
        if (!certificate) throw new CommandError(`${file} holds no certificate in PEM.`);
        const name = certificate.commonName ?? certificate.fingerprint;
        const id = await trustAuthority(db, { name, certificate }, change(options.reason));
        if (id === undefined)
          throw new CommandError('This authority is known already; see cadastre ca list.');
        const sentence = `Authority ${id} is trusted: ${name}. Put its certificates on record with cadastre cert add.`;
        printResult(options, sentence, { id, name });
      }, options),
    );

  irreversible(withReason(command.command('retire <id>')))
    .description('trust an authority no longer: none of its certificates opens the door from now on')
    .action(async (text: string, options: Changing) => {
      const id = numberOf(text);
      await requireConfirmation(
        options,
        `None of the certificates of authority ${id} opens the door any more.`,
      );
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await retireAuthority(db, id, change(options.reason))))
          throw new CommandError(`There is no authority ${id} that is trusted.`);
        printResult(options, `Authority ${id} is retired.`, { id, status: 'retired' });
      }, options);
    });

  changing(command.command('crl'))
    .description('sign the revocation lists of our own authorities now')
    .action((options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const keys = caKeys(readConfig('production'));
        const { signList } = await import('../registry/certificates/revocation-lists.ts');
        const own = (await trustedAuthorities(db)).filter((authority) => authority.own);
        if (own.length === 0)
          throw new CommandError('There is no authority of our own; see cadastre ca init.');
        const signed: string[] = [];
        for (const authority of own) {
          const key = await keys.find(authority);
          if (!key)
            throw new CommandError(
              `The key of authority ${authority.id} is not here: ${keys.fileOf(authority)}.`,
            );
          const until = await signList(db, { ...authority, key }, now, policy);
          signed.push(`The list of authority ${authority.id} holds until ${until.toISOString()}.`);
        }
        printResult(options, signed.join('\n'), { signed });
      }, options),
    );
  return command;
}

/** The CA that issues new certificates. */
export async function signingAuthority(db: Sql): Promise<TrustedAuthority | undefined> {
  return (await trustedAuthorities(db)).find(({ signs }) => signs);
}

/** A file, or standard input for `-`. */
export async function readInput(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(commandEnvironment().stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new CommandError('An authority is named by its number; see cadastre ca list.');
  return Number(text);
}
