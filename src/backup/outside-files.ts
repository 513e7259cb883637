import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { type Config, readSettingTexts } from '../platform/config/config.ts';
import type { Setting } from '../platform/config/setting.ts';
import { postgresUrl } from '../platform/config/setting-values.ts';
import { settings } from '../platform/config/settings.ts';
import { BackupError } from './backup-error.ts';
import { FILES } from './manifest.ts';
import type { Entry } from './tar.ts';

export type OutsideFile = Entry & { readonly from: string };

const POLICY = path.join(import.meta.dirname, '../policy');

type NamedFile = readonly [name: string, file: string];

/** What the registry needs and the database does not hold: settings with their secrets, keys, certificates, policy. */
export async function readOutsideFiles(config: Config): Promise<OutsideFile[]> {
  const { NODE_EXTRA_CA_CERTS: extraAuthorities } = commandEnvironment().env;
  const named = [
    ...(await filesOfSettings(config)),
    ...(extraAuthorities ? [['tls/extra-authorities.pem', extraAuthorities] as const] : []),
    ...(await filesIn(POLICY, 'policy')),
  ];
  const found = [settingsFile()];
  for (const [name, file] of named) found.push(await readOutside(name, file));
  return found;
}

/** By the table of settings, so that none is forgotten: what they name, and the authorities in addresses of databases. */
async function filesOfSettings(config: Config): Promise<NamedFile[]> {
  const values: Readonly<Record<string, unknown>> = {
    ...config,
    caFolder: config.caFolder ?? path.join(config.home, 'ca'),
  };
  const found: NamedFile[] = [];
  for (const [key, { env, read, path: named }] of Object.entries<Setting<unknown>>(settings)) {
    const value = values[key];
    if (typeof value !== 'string') continue;
    const authority = read === postgresUrl ? authorityOf(value) : undefined;
    if (authority !== undefined) found.push([`tls/authority-of-${env}.pem`, authority]);
    if (named === undefined || !('inBackup' in named)) continue;
    if (named.kind === 'file') found.push([named.inBackup, value]);
    else found.push(...(await filesIn(value, named.inBackup)));
  }
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
async function filesIn(folder: string, name: string): Promise<NamedFile[]> {
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

function authorityOf(url: string): string | undefined {
  const [, file] = /[?&]sslrootcert=([^&]+)/.exec(url) ?? [];
  return file && decodeURIComponent(file);
}
