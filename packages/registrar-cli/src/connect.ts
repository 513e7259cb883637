import { readFile } from 'node:fs/promises';
import { Registry } from 'cadastre-sdk';
import type { Environment } from './command.ts';
import { findPassword } from './password.ts';
import { type Choice, chosenProfile, requireOwn } from './profiles.ts';
import { VERSION } from './version.ts';

/** The client of a profile. */
export async function connect(
  environment: Environment,
  choice: Choice,
  retries: number | undefined,
): Promise<Registry> {
  const profile = await chosenProfile(environment, choice);
  const { url, username, certificateFile, keyFile, authorityFile } = profile;
  return new Registry({
    baseUrl: url,
    username,
    password: await findPassword(environment, profile),
    userAgent: `cadastre-registrar/${VERSION}`,
    retry: retries === undefined ? {} : { retries },
    tls: {
      cert: certificateFile && (await readCertificateFile(certificateFile)),
      key: keyFile && (await readKeyFile(keyFile)),
      ca: authorityFile && (await readFile(authorityFile)),
    },
  });
}

/** A key that others can read is theirs, too. */
async function readKeyFile(file: string): Promise<Buffer> {
  await requireOwn(file);
  return readFile(file);
}

/** It may have the key beside the certificate. */
async function readCertificateFile(file: string): Promise<Buffer> {
  const content = await readFile(file);
  return content.includes('PRIVATE KEY-----') ? readKeyFile(file) : content;
}
