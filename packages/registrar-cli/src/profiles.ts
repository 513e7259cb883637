import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, UsageError } from './command.ts';

/** How to reach a registry. Passwords are not part of it: a profile may name a file that has one. */
export type Profile = {
  readonly url: string;
  readonly username: string;
  readonly passwordFile?: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly authorityFile?: string;
};

export type Profiles = { readonly default?: string; readonly profiles: Readonly<Record<string, Profile>> };

const OF_OTHERS = 0o077;

export const profilesFile = ({ variables, home }: Environment): string =>
  path.join(variables.XDG_CONFIG_HOME ?? path.join(home, '.config'), 'cadastre-registrar', 'profiles.json');

export async function readProfiles(environment: Environment): Promise<Profiles> {
  const file = profilesFile(environment);
  try {
    await requireOwn(file);
    return JSON.parse(await readFile(file, 'utf8')) as Profiles;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { profiles: {} };
    throw error;
  }
}

export async function writeProfiles(environment: Environment, profiles: Profiles): Promise<void> {
  const file = profilesFile(environment);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A command that is killed meanwhile leaves the old file.
  await writeFile(`${file}.new`, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}

/** A file that others can read or write decides neither where a password goes nor what it is. */
export async function requireOwn(file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & OF_OTHERS) !== 0)
    throw new UsageError(`others may read or write ${file}; chmod 600 it`);
}

/** What the options say: the name of a profile, or that none is to be used. */
export type Choice = { readonly name: string | undefined; readonly isNone: boolean };

/** The profile in use: named by an option, the environment, or the default. */
export async function chosenProfile(environment: Environment, choice: Choice): Promise<Profile> {
  const { variables } = environment;
  const { profiles, default: usual } = await readProfiles(environment);
  if (choice.isNone && choice.name !== undefined) throw new UsageError('--profile or --no-profile, not both');
  const named = choice.isNone ? undefined : (choice.name ?? variables.CADASTRE_PROFILE);
  const name = choice.isNone ? undefined : (named ?? usual);
  if (name !== undefined) {
    const profile = profiles[name];
    if (!profile) throw new UsageError(`there is no profile ${name}; cadastre-registrar profile list`);
    if (named === undefined) requireAgreement(name, profile, variables);
    return profile;
  }
  const { CADASTRE_URL: url, CADASTRE_USERNAME: username } = variables;
  if (url === undefined || username === undefined)
    throw new UsageError('no registry is chosen: cadastre-registrar profile add NAME --url … --username …');
  return { url, username };
}

/** The environment may be of a sandbox and the default of production: neither is preferred without a word. */
function requireAgreement(
  name: string,
  { url, username }: Profile,
  variables: Environment['variables'],
): void {
  const { CADASTRE_URL: otherUrl = url, CADASTRE_USERNAME: otherName = username } = variables;
  const differing = [
    ...(addressOf(otherUrl) === addressOf(url) ? [] : [`CADASTRE_URL is ${otherUrl}, ${name} has ${url}`]),
    ...(otherName === username ? [] : [`CADASTRE_USERNAME is ${otherName}, ${name} has ${username}`]),
  ];
  if (differing.length > 0)
    throw new UsageError(
      `the environment and the default profile differ: ${differing.join('; ')}. Choose by --profile ${name} or --no-profile`,
    );
}

const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);
