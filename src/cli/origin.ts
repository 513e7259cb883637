import type { Config } from '../platform/config.ts';

/** Where people reach this installation. Links in mails and pages begin with it, never with a client's Host header. */
export class Origin {
  readonly #publicUrl: string | undefined;
  readonly #host: string;
  #port: number;

  constructor({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>) {
    this.#publicUrl = publicUrl;
    this.#host = host.includes(':') ? `[${host}]` : host;
    this.#port = port;
  }

  /** Without PUBLIC_URL it is the address of the server itself, whose port may have been left to the system. */
  listensOn(port: number): void {
    this.#port = port;
  }

  get url(): string {
    return this.#publicUrl ?? this.ownUrl;
  }

  /** How this machine reaches itself, whatever stands in front of it. */
  get ownUrl(): string {
    return `http://${this.#host}:${this.#port}`;
  }
}
