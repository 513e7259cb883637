import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, UsageError } from './command.ts';
import type { SignedRequest } from './forward.ts';
import { profilesFile, requireOwn } from './profiles.ts';

const SECRET_BYTES = 32;
const FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

/**
 * The secret by which forwarded events are signed. It is made by the first run and stays the same, so that the program
 * that receives them is configured once; the registry's own secret is another one in each run.
 */
export async function listenSecret(environment: Environment): Promise<string> {
  const file = path.join(path.dirname(profilesFile(environment)), 'listen-secret');
  const made = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await requireOwn(file);
  const secret = (await readFile(file, 'utf8')).trim();
  if (!FORM.test(secret)) throw new UsageError(`${file} has no secret; delete it to have another one made`);
  return secret;
}

/** The request as if the registry had signed it with another secret. */
export function signedAnew({ headers, body }: SignedRequest, secret: string): SignedRequest {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signature = createHmac('sha256', key).update(content).update(body).digest('base64');
  return { headers: { ...headers, 'webhook-signature': `v1,${signature}` }, body };
}
