import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { readCertificate } from '../../platform/certificates/certificate.ts';
import { EXPIRED, faultOf, type ServerIdentity } from '../../platform/certificates/server-identity.ts';
import { wallClock } from '../../platform/clock/clock.ts';
import { ConfigError } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { SECURE_TRANSPORT } from '../secure-transport.ts';

export type TlsFiles = { readonly key: string; readonly certificate: string };
/** The certificates of the authorities that client certificates are requested for. */
type Authorities = () => Promise<readonly string[]>;

type Naming = { readonly door?: 'HTTPS' | 'EPP'; readonly settingNames?: string | undefined };

type ChangeableServer = Pick<Server, 'setSecureContext'>;

/** The server's TLS identity. It can be renewed while connections are open; new ones use the new identity. */
export class TlsIdentity {
  readonly #files: TlsFiles;
  readonly #authorities: Authorities;
  /** Its lines say of which interface and which file they are. */
  readonly #log: Logger;
  #current: ServerIdentity = { key: '', cert: '' };
  #expiresAt = Number.NaN;
  /** The files as last read: content that differs between two reads may still be being written. */
  #lastSeen = '';
  #refused = '';

  private constructor(files: TlsFiles, authorities: Authorities, log: Logger) {
    this.#files = files;
    this.#authorities = authorities;
    this.#log = log;
  }

  /** An expired certificate does not prevent the start: some clients still connect, and it can be renewed. */
  static async read(
    files: TlsFiles,
    authorities: Authorities,
    log: Logger,
    { door = 'HTTPS', settingNames = 'TLS_KEY_FILE and TLS_CERTIFICATE_FILE' }: Naming = {},
  ): Promise<TlsIdentity> {
    const identity = new TlsIdentity(files, authorities, log.child({ door, certificate: files.certificate }));
    identity.#use(await identity.#read());
    const fault = faultOf(identity.#current, wallClock.now());
    if (fault === EXPIRED) identity.#log.error('the TLS certificate is expired');
    else if (fault !== undefined) throw new ConfigError(`${settingNames} cannot be used: ${fault}.`);
    return identity;
  }

  get options(): SecureContextOptions {
    return { ...SECURE_TRANSPORT, ...this.#current };
  }

  /** When the certificate in use expires, in milliseconds. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Adopts changes of the files and authorities once they are stable and consistent. */
  async refresh(server: ChangeableServer): Promise<void> {
    const read = await this.#read();
    const written = JSON.stringify(read);
    const isStable = written === this.#lastSeen;
    this.#lastSeen = written;
    if (isStable && written !== this.#refused) this.#adopt(read, server);
  }

  /** The same at once: the operator who asks for it has written the files completely. */
  async reload(server: ChangeableServer): Promise<void> {
    this.#adopt(await this.#read(), server);
  }

  #adopt(read: ServerIdentity, server: ChangeableServer): void {
    const written = JSON.stringify(read);
    if (written === JSON.stringify(this.#current)) return;
    const fault = faultOf(read, wallClock.now());
    if (fault !== undefined) {
      this.#refused = written;
      this.#log.error({ fault }, 'the new TLS key and certificate do not fit; the old ones stay');
      return;
    }
    server.setSecureContext({ ...SECURE_TRANSPORT, ...read });
    this.#use(read);
    this.#log.info('TLS key, certificate or authorities were renewed');
  }

  #use(identity: ServerIdentity): void {
    this.#current = identity;
    this.#expiresAt = readCertificate(identity.cert)?.validUntil.getTime() ?? Number.NaN;
  }

  async #read(): Promise<ServerIdentity> {
    const [key, cert, authorities] = await Promise.all([
      readFile(this.#files.key, 'utf8'),
      readFile(this.#files.certificate, 'utf8'),
      this.#authorities(),
    ]);
    return { key, cert, ...(authorities.length > 0 && { ca: [...authorities] }) };
  }
}

export function registerTlsMetrics(
  metrics: Metrics,
  identity: TlsIdentity,
  name = 'cadastre_tls_certificate_expiry_timestamp_seconds',
): void {
  metrics.watch(name, 'When the certificate that this server shows expires', () => identity.expiresAt / 1000);
}
