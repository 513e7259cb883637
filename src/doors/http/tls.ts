import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Logger } from '../../platform/logging.ts';

type Files = { readonly key: string; readonly certificate: string };
/** The certificates of the authorities whose clients we ask for theirs. */
type Authorities = () => Promise<readonly string[]>;

/** What a server shows of itself over TLS. It can be renewed while connections stay open: those that come later see it. */
export class TlsIdentity {
  readonly #files: Files;
  readonly #authorities: Authorities;
  #current: SecureContextOptions = {};
  #refused = '';

  private constructor(files: Files, authorities: Authorities) {
    this.#files = files;
    this.#authorities = authorities;
  }

  static async read(files: Files, authorities: Authorities): Promise<TlsIdentity> {
    const identity = new TlsIdentity(files, authorities);
    identity.#current = await identity.#read();
    createSecureContext(identity.#current);
    return identity;
  }

  get options(): SecureContextOptions {
    return this.#current;
  }

  /** Takes over what has changed in the files and among the authorities; what does not fit together is left for later. */
  async refresh(server: Pick<Server, 'setSecureContext'>, log: Logger): Promise<void> {
    const read = await this.#read();
    const written = JSON.stringify(read);
    if (written === JSON.stringify(this.#current) || written === this.#refused) return;
    try {
      createSecureContext(read);
      server.setSecureContext(read);
      this.#current = read;
      log.info('TLS key, certificate or authorities were renewed');
    } catch (error) {
      this.#refused = written;
      log.error({ err: error }, 'the new TLS key and certificate do not fit; the old ones stay');
    }
  }

  async #read(): Promise<SecureContextOptions> {
    const [key, cert, authorities] = await Promise.all([
      readFile(this.#files.key, 'utf8'),
      readFile(this.#files.certificate, 'utf8'),
      this.#authorities(),
    ]);
    return { key, cert, ...(authorities.length > 0 && { ca: [...authorities] }) };
  }
}
