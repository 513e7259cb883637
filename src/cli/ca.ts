import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { readCertificate } from '../platform/certificates/presented.ts';
import { readConfig } from '../platform/config.ts';
import type { Sql } from '../platform/database/database.ts';
import { ee } from '../policy/ee.ts';
import {
  authorityCertificate,
  createOwnAuthority,
  listAuthorities,
  retireAuthority,
  type TrustedAuthority,
  trustAuthority,
  trustedAuthorities,
} from '../registry/certificates/authorities.ts';
import { caKeys } from './ca-keys.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';

// The library that signs is loaded when something is signed: the other commands stay quick.

export function caCommand(): Command {
  const command = new Command('ca').description(
    'authorities whose certificates open the door, our own among them',
  );

  command
    .command('init')
    .description('make an authority of our own, with whose key the certificates of registrars are signed')
    .option('--name <name>', 'the CN of its certificate', 'Cadastre registrar access')
    .option('--replace', 'one signs already: the new one signs from now on, the old one stays trusted')
    .option('--reason <text>', 'kept in history')
    .action(({ name, replace, reason }: { name: string; replace?: boolean; reason?: string }) =>
      withDatabase(async ({ sql, now, change }) => {
        const signing = await signingAuthority(sql);
        if (signing && !replace)
          throw new CommandError(`Authority ${signing.id} signs already; --replace makes another.`);
        const { createAuthority } = await import('../platform/certificates/authority.ts');
        const until = new Date(now);
        until.setUTCFullYear(until.getUTCFullYear() + ee.certificates.authorityYears);
        const { certificate: pem, key } = await createAuthority(name, { from: now, until });
        const certificate = readCertificate(pem);
        if (!certificate) throw new CommandError(`"${name}" cannot be the name of an authority.`);
        const keys = caKeys(readConfig('production'));
        await keys.keep(certificate, key);
        try {
          const id = await sql.begin((tx) => createOwnAuthority(tx, { name, certificate }, change(reason)));
          print(
            `Authority ${id} signs certificates until ${until.toISOString()}. Its key: ${keys.fileOf(certificate)}. Keep a copy of it in a safe place.`,
          );
        } catch (error) {
          await keys.forget(certificate);
          throw error;
        }
      }),
    );

  command
    .command('list')
    .description('all authorities, and until when their revocation lists hold')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listAuthorities(sql), json)),
    );

  command
    .command('certificate <id>')
    .description('the certificate of an authority, in PEM')
    .action((id: string) =>
      withDatabase(async ({ sql }) => {
        const certificate = await authorityCertificate(sql, numberOf(id));
        if (certificate === undefined) throw new CommandError(`There is no authority ${id}.`);
        print(certificate.trimEnd());
      }),
    );

  command
    .command('trust <file>')
    .description(
      "let certificates of another's authority be put on record; the file is its certificate in PEM",
    )
    .option('--reason <text>', 'kept in history')
    .action((file: string, { reason }: { reason?: string }) =>
      withDatabase(async ({ sql, change }) => {
        const certificate = readCertificate(await readInput(file));
        if (!certificate) throw new CommandError(`${file} holds no certificate in PEM.`);
        const name = certificate.commonName ?? certificate.fingerprint;
        const id = await trustAuthority(sql, { name, certificate }, change(reason));
        if (id === undefined)
          throw new CommandError('This authority is known already; see cadastre ca list.');
        print(`Authority ${id} is trusted: ${name}. Put its certificates on record with cadastre cert add.`);
      }),
    );

  command
    .command('retire <id>')
    .description('trust an authority no longer: none of its certificates opens the door from now on')
    .option('--reason <text>', 'kept in history')
    .action((id: string, { reason }: { reason?: string }) =>
      withDatabase(async ({ sql, change }) => {
        if (!(await retireAuthority(sql, numberOf(id), change(reason))))
          throw new CommandError(`There is no authority ${id} that is trusted.`);
        print(`Authority ${id} is retired.`);
      }),
    );

  command
    .command('crl')
    .description('sign the revocation lists of our own authorities anew, now')
    .action(() =>
      withDatabase(async ({ sql, now }) => {
        const keys = caKeys(readConfig('production'));
        const { signList } = await import('../registry/certificates/revocation-lists.ts');
        const own = (await trustedAuthorities(sql)).filter((authority) => authority.own);
        if (own.length === 0)
          throw new CommandError('There is no authority of our own; see cadastre ca init.');
        for (const authority of own) {
          const key = await keys.find(authority);
          if (!key)
            throw new CommandError(
              `The key of authority ${authority.id} is not here: ${keys.fileOf(authority)}.`,
            );
          const until = await sql.begin((tx) => signList(tx, { ...authority, key }, now, ee));
          print(`The list of authority ${authority.id} holds until ${until.toISOString()}.`);
        }
      }),
    );
  return command;
}

/** The one that new certificates come from. */
export async function signingAuthority(sql: Sql): Promise<TrustedAuthority | undefined> {
  return (await trustedAuthorities(sql)).find(({ signs }) => signs);
}

/** A file, or standard input where it is called -. */
export async function readInput(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new CommandError('An authority is named by its number; see cadastre ca list.');
  return Number(text);
}
