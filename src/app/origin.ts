import type { Config } from '../platform/config/config.ts';

/** Where people reach this installation. Links in mails and pages begin with it, never with a client's Host header. */
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

  /** Without PUBLIC_URL it is the address of the server itself, whose port may have been left to the system. */
  listensOn(port: number): void {
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return this.#publicUrl ?? this.ownUrl;
  }

  /** The same for people: loopback by its name, since browsers bind passkeys to names and not to addresses. */
  get urlForPeople(): string {
    const isLoopback = this.#host === '127.0.0.1' || this.#host === '[::1]';
    return this.#publicUrl ?? (isLoopback ? `${this.#scheme}://localhost:${this.#port}` : this.ownUrl);
  }

  /** How this machine reaches itself, whatever stands in front of it. */
  get ownUrl(): string {
    return `${this.#scheme}://${this.#host}:${this.#port}`;
  }
}
