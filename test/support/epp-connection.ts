import tls from 'node:tls';
import { inFiles, ownAuthority, serverIdentity, signedFor } from './certificates.ts';
import { freePort } from './free-port.ts';
import { seededProduction } from './seeded-production.ts';
import { expect, onTestFinished } from './this-test.ts';

type Place = { readonly host?: string; readonly port: number; readonly ca: string };
export type Shown = { readonly certificate: string; readonly key: string };

/** A bare client that has read the greeting. */
export class EppConnection {
  readonly #socket: tls.TLSSocket;
  readonly #chunks: AsyncIterator<Buffer>;
  #read = Buffer.alloc(0);
  isClosed = false;

  static async open({ host = '127.0.0.1', port, ca }: Place, shown?: Shown): Promise<EppConnection> {
    const identity = shown && { cert: shown.certificate, key: shown.key };
    const socket = tls.connect({ host, port, ca, ...identity });
    const connection = new EppConnection(socket);
    expect(await connection.frame()).toContain('<greeting>');
    return connection;
  }

  private constructor(socket: tls.TLSSocket) {
    this.#socket = socket;
    this.#chunks = socket[Symbol.asyncIterator]();
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
    onTestFinished(() => void socket.destroy());
  }

  /** The code of the answer. */
  async ask(body: string): Promise<number> {
    const text = `<?xml version="1.0"?><epp xmlns="urn:ietf:params:xml:ns:epp-1.0">${body}</epp>`;
    const header = Buffer.alloc(4);
    header.writeUInt32BE(4 + Buffer.byteLength(text));
    this.#socket.write(Buffer.concat([header, Buffer.from(text)]));
    return Number(/<result code="(\d+)"/.exec(await this.frame())?.[1]);
  }

  logIn(user: string, password = `${user}-sandbox-password`): Promise<number> {
    return this.ask(
      `<command><login><clID>${user}</clID><pw>${password}</pw><options><version>1.0</version><lang>en</lang></options><svcs><objURI>urn:ietf:params:xml:ns:domain-1.0</objURI></svcs></login></command>`,
    );
  }

  /** 1300: the queue is empty. */
  poll(): Promise<number> {
    return this.ask('<command><poll op="req"/></command>');
  }

  async frame(): Promise<string> {
    while (this.#read.length < 4 || this.#read.length < this.#read.readUInt32BE()) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error('the connection is closed');
      this.#read = Buffer.concat([this.#read, value]);
    }
    const length = this.#read.readUInt32BE();
    const text = this.#read.subarray(4, length).toString();
    this.#read = this.#read.subarray(length);
    return text;
  }

  /** Of the server. */
  get shownFingerprint(): string {
    return this.#socket.getPeerCertificate().fingerprint256;
  }

  close(): void {
    this.#socket.destroy();
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
