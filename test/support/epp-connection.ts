import { isIP } from 'node:net';
import { inFiles, ownAuthority, serverIdentity, signedFor } from './certificates.ts';
import { EppClient } from './epp.ts';
import { poll } from './epp-frames.ts';
import { freePort } from './free-port.ts';
import { seededProduction } from './seeded-production.ts';
import { onTestFinished } from './this-test.ts';

type Place = { readonly host?: string; readonly port: number; readonly ca: string };
export type Shown = { readonly certificate: string; readonly key: string };

/** A client of the seed's users, told by the codes of its answers. */
export class EppConnection {
  readonly #client: EppClient;

  static async open({ host = '127.0.0.1', ...place }: Place, shown?: Shown): Promise<EppConnection> {
    const identity = shown && { cert: shown.certificate, key: shown.key };
    const options = isIP(host) === 0 ? {} : { options: { servername: '' } };
    const client = await EppClient.connect({ host, ...place, ...identity, ...options });
    onTestFinished(() => client.close());
    return new EppConnection(client);
  }

  private constructor(client: EppClient) {
    this.#client = client;
  }

  get isClosed(): boolean {
    return this.#client.isClosed;
  }

  async logIn(user: string, password = `${user}-sandbox-password`): Promise<number> {
    return (await this.#client.logIn(user, password)).code;
  }

  /** 1300: the queue is empty. */
  async poll(): Promise<number> {
    return (await this.#client.command(poll.request)).code;
  }

  /** Of the server. */
  get shownFingerprint(): string {
    return this.#client.socket.getPeerCertificate().fingerprint256;
  }

  close(): void {
    this.#client.socket.destroy();
  }
}

/** Production with the seed's users; alpha has a certificate. */
export async function productionWithEpp(env: Readonly<Record<string, string>> = {}) {
  const { url, sql: db } = await seededProduction();
  const authority = await ownAuthority(db);
  const identity = await serverIdentity(authority, [{ type: 'ip', value: '127.0.0.1' }]);
  const { tlsKeyFile, tlsCertificateFile, write: renewIdentity } = await inFiles(identity);
  const { certificate, ...alpha } = await signedFor(db, authority, 'alpha');
  const port = await freePort();
  const files = { EPP_TLS_KEY_FILE: tlsKeyFile, EPP_TLS_CERTIFICATE_FILE: tlsCertificateFile };
  const settings = { EPP_PORT: String(port), ...files, ...env };
  const at = { port, ca: authority.certificate };
  const logIn = async (server = at) => {
    const client = await EppConnection.open(server, { certificate: alpha.cert, key: alpha.key });
    return { client, code: await client.logIn('alpha') };
  };
  return { db, url, settings, at, logIn, certificate, authority, renewIdentity };
}
