import { readFile } from 'node:fs/promises';
import { Registry } from 'cadastre-sdk';
import type { Environment } from './command.ts';
import { findPassword } from './password.ts';
import { chosenProfile } from './profiles.ts';
import { VERSION } from './version.ts';

/** The client of a profile. */
export async function connect(
  environment: Environment,
  profileName: string | undefined,
  retries: number | undefined,
): Promise<Registry> {
  const profile = await chosenProfile(environment, profileName);
  const { url, username, certificateFile, keyFile, authorityFile } = profile;
  return new Registry({
    baseUrl: url,
    username,
    password: await findPassword(environment, profile),
    userAgent: `cadastre-registrar/${VERSION}`,
    retry: retries === undefined ? {} : { retries },
    tls: {
      cert: certificateFile && (await readFile(certificateFile)),
      key: keyFile && (await readFile(keyFile)),
      ca: authorityFile && (await readFile(authorityFile)),
    },
  });
}
