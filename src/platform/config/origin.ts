import type { Config } from './config.ts';

/**
 * The public origin of this installation. Links in mails and pages start with it, never with a client's Host header.
 */
export class Origin {
  readonly #publicUrl: string | undefined;
  readonly #host: string;
  readonly #scheme: 'http' | 'https';
  #port: number;

  constructor({
    publicUrl,
    host,
    port,
    tlsKeyFile,
  }: Pick<Config, 'publicUrl' | 'host' | 'port' | 'tlsKeyFile'>) {
    this.#publicUrl = publicUrl;
    this.#host = host.includes(':') ? `[${host}]` : host;
    this.#port = port;
    this.#scheme = tlsKeyFile === undefined ? 'http' : 'https';
  }

  /** Without PUBLIC_URL it is the server's own address, whose port may be assigned by the system. */
  listensOn(port: number): void {
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return this.#publicUrl ?? this.ownUrl;
  }

  /** For browsers: loopback as a hostname, since passkeys are bound to names and not to addresses. */
  get urlForPeople(): string {
    const isLoopback = this.#host === '127.0.0.1' || this.#host === '[::1]';
    return this.#publicUrl ?? (isLoopback ? `${this.#scheme}://localhost:${this.#port}` : this.ownUrl);
  }

  /** Whether pages of an origin are our own. Without PUBLIC_URL it is the host that the browser asked. */
  isOwn(origin: string, host: string | undefined): boolean {
    const own = this.#publicUrl ?? (host && `${this.#scheme}://${host}`);
    return own !== undefined && URL.canParse(own) && new URL(own).origin === origin;
  }

  /** How this machine reaches itself, bypassing any proxy. */
  get ownUrl(): string {
    return `${this.#scheme}://${this.#host}:${this.#port}`;
  }
}
