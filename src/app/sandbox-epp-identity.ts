import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { carryOut, type OperatorOperation } from '../operations/operator-operation.ts';
import { Refused } from '../operations/refusal.ts';
import type { Authority, ServerName } from '../platform/certificates/authority.ts';
import { type Certificate, readCertificate } from '../platform/certificates/certificate.ts';
import { makePrivateDirectory, PRIVATE_FILE } from '../platform/config/private-files.ts';
import type { Pool } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { listAuthorities } from '../registry/certificates/authorities.ts';
import { recordCertificate } from '../registry/certificates/record-certificate.ts';
import { retireAuthority } from '../registry/certificates/retire-authority.ts';
import { trustAuthority } from '../registry/certificates/trust-authority.ts';
import { seed } from './seed.ts';

type Pair = { readonly certificate: string; readonly key: string };

/** The sandbox's own authority, and what it has signed: the server's certificate, and one for each user that may use EPP. */
export type SandboxEppIdentity = {
  readonly folder: string;
  readonly authority: string;
  readonly server: { readonly key: string; readonly certificate: string };
  readonly clients: Readonly<Record<string, Pair>>;
};

const NAME = 'Cadastre sandbox';
const SERVER_NAMES = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const satisfies readonly ServerName[];
const DAY_MS = 86_400_000;
const VALID_DAYS = 30 * 365;

const clients = seed.users.filter(({ roles }) => !roles.every((role) => role === 'billing'));
const clientNames = clients.map(({ username }) => username);

/** Kept in the sandbox's home, so that clients which trust it need no change after a restart or a reset. */
export async function sandboxEppIdentity(home: string, now: Date): Promise<SandboxEppIdentity> {
  const folder = path.join(home, 'epp');
  const identity = readIdentity(folder);
  if (identity) return identity;
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  makePrivateDirectory(made);
  await createFiles(made, now);
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  const created = readIdentity(folder);
  if (!created) throw new Error('the certificates of the sandbox cannot be read');
  return created;
}

/** Undefined where a file is missing or is no certificate. */
function readIdentity(folder: string): SandboxEppIdentity | undefined {
  const file = (name: string) => path.join(folder, name);
  const read = (name: string): Pair => ({
    certificate: readFileSync(file(`${name}.crt`), 'utf8'),
    key: readFileSync(file(`${name}.key`), 'utf8'),
  });
  try {
    const [authority, server] = [read('authority'), read('server')];
    const pairs = clientNames.map((name) => [name, read(name)] as const);
    const all = [authority, server, ...pairs.map(([, pair]) => pair)];
    if (all.some(({ certificate }) => readCertificate(certificate) === undefined)) return undefined;
    return {
      folder,
      authority: authority.certificate,
      clients: Object.fromEntries(pairs),
      server: { key: file('server.key'), certificate: file('server.crt') },
    };
  } catch {
    return undefined;
  }
}

async function createFiles(folder: string, now: Date): Promise<void> {
  // Loaded at the first start only.
  const library = await import('../platform/certificates/authority.ts');
  const { createAuthority, generateKey, signRequest, signServerCertificate } = library;
  const validity = {
    from: new Date(now.getTime() - DAY_MS),
    until: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  };
  const write = (name: string, { certificate, key }: Authority) => {
    const options = { mode: PRIVATE_FILE };
    writeFileSync(path.join(folder, `${name}.crt`), certificate, options);
    writeFileSync(path.join(folder, `${name}.key`), key.export({ format: 'pem', type: 'pkcs8' }), options);
  };
  const authority = await createAuthority(NAME, validity);
  write('authority', authority);
  const server = await generateKey();
  const names = SERVER_NAMES;
  const certificate = await signServerCertificate(authority, server.publicKey, { names, validity });
  write('server', { key: server.key, certificate });
  for (const { username: commonName, registrar: organisation } of clients) {
    const { key, publicKey } = await generateKey();
    const request = { commonName, publicKey };
    write(commonName, {
      key,
      certificate: await signRequest(authority, request, { organisation, validity }),
    });
  }
}

/** Records authority and certificates as an operator would, so that they can be revoked; what was recorded before stays. */
export async function recordSandboxCertificates(
  pool: Pool,
  identity: SandboxEppIdentity,
  policy: Policy,
  now: Date,
): Promise<void> {
  const operator = { actor: 'sandbox', now, policy, dryRun: false };
  // What is so already stays: another process may have started at the same time, and somebody may have given a user two
  // certificates.
  const ensure = async <Input>(operation: OperatorOperation<Input, unknown>, input: Input): Promise<void> => {
    await carryOut(pool, operation, input, operator).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  };
  const certificate = requireCertificate(identity.authority);
  // Of an earlier home on the same database.
  for (const { id, name, fingerprint, status } of await listAuthorities(pool))
    if (name === NAME && fingerprint !== certificate.fingerprint && status !== 'retired')
      await ensure(retireAuthority, { id });
  await ensure(trustAuthority, { certificate });
  for (const { certificate: pem } of Object.values(identity.clients))
    await ensure(recordCertificate, { certificate: requireCertificate(pem) });
}

function requireCertificate(pem: string): Certificate {
  const certificate = readCertificate(pem);
  if (!certificate) throw new Error('a certificate of the sandbox cannot be read');
  return certificate;
}
