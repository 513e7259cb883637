import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { type Config, readSettingTexts } from '../platform/config/config.ts';
import { BackupError } from './backup-error.ts';
import { FILES } from './manifest.ts';
import type { Entry } from './tar.ts';

export type OutsideFile = Entry & { readonly from: string };

const POLICY = path.join(import.meta.dirname, '../policy');

/** What the registry needs and the database does not hold: settings with their secrets, keys, certificates, policy. */
export async function readOutsideFiles(config: Config): Promise<OutsideFile[]> {
  const named: (readonly [name: string, file: string | undefined])[] = [
    ['tls/key.pem', config.tlsKeyFile],
    ['tls/certificate.pem', config.tlsCertificateFile],
    ['tls/extra-authorities.pem', commandEnvironment().env.NODE_EXTRA_CA_CERTS],
    ['tls/database-authority.pem', authorityOf(config.databaseUrl)],
    ...(await filesIn(config.caFolder ?? path.join(config.home, 'ca'), 'ca')),
    ...(await filesIn(POLICY, 'policy')),
  ];
  const found = [settingsFile()];
  for (const [name, file] of named) if (file) found.push(await readOutside(name, file));
  return found;
}

async function readOutside(name: string, file: string): Promise<OutsideFile> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      `${file} cannot be read (${error.code}), and would be missing after a restore: run this as an account that can read it, or with --database-only.`,
    );
  });
  return { name: FILES + name, from: path.resolve(file), content };
}

/** A folder that does not exist has nothing in it: only machines that sign have keys. */
async function filesIn(folder: string, name: string): Promise<(readonly [string, string])[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new BackupError(`The folder ${folder} cannot be read (${error.code}).`);
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => [`${name}/${entry.name}`, path.join(folder, entry.name)] as const);
}

/** In the form of the file that CADASTRE_CONFIG names. */
function settingsFile(): OutsideFile {
  const lines = Object.entries(readSettingTexts()).map(([name, text]) => `${name}=${quote(text)}\n`);
  return {
    name: `${FILES}settings.env`,
    from: 'the environment and CADASTRE_CONFIG',
    content: Buffer.from(lines.join('')),
  };
}

const quote = (text: string): string => {
  const mark = ["'", '"', '`'].find((candidate) => !text.includes(candidate)) ?? "'";
  return mark + text + mark;
};

function authorityOf(url: string | undefined): string | undefined {
  const [, file] = /[?&]sslrootcert=([^&]+)/.exec(url ?? '') ?? [];
  return file && decodeURIComponent(file);
}
